import { read, retarget, write } from 'stuntdouble';

const walk = await read('walk.bvh'); // a path, a URL, bytes, a File
const hero = await read('hero.vrm');
const result = retarget(walk, hero); // clips on hero, and a report: map, warnings, measures
await write('hero-walk.vrm', result);
