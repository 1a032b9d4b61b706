import { read, retarget, writeBytes } from 'stuntdouble';

const walk = await read('walk.bvh'); // an address beside the page, bytes, a File that was dropped
const hero = await read('hero.vrm');
const result = retarget(walk, hero);
export const { bytes } = await writeBytes('vrm', result); // for a download, or for the loader of your engine
