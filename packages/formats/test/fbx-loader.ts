import * as three from 'three';
import { FBXLoader } from 'three/examples/jsm/loaders/FBXLoader.js';

/** What an independent reader makes of an FBX file. */
export type OracleScene = {
  group: three.Group;
  clips: three.AnimationClip[];
};

/**
 * Reads an FBX file with three's loader. It asks for a document to load pictures with, which do not matter
 * here, and talks to the console about what it does not know.
 */
export function readWithThree(bytes: Uint8Array): OracleScene {
  const global = globalThis as { document?: unknown; window?: unknown };
  const { document, window } = global;
  const { warn, error } = console;
  const element = () => ({ addEventListener() {}, removeEventListener() {}, style: {}, setAttribute() {} });
  global.document = { createElementNS: element, createElement: element };
  global.window = { URL: { createObjectURL: () => 'data:,', revokeObjectURL() {} } };
  console.warn = () => {};
  console.error = () => {};
  try {
    const copy = bytes.slice().buffer;
    const group = new FBXLoader().parse(copy, '');
    return { group, clips: group.animations };
  } finally {
    global.document = document;
    global.window = window;
    console.warn = warn;
    console.error = error;
  }
}

/** World positions of the objects by the name that their file has, at a time of a clip (rest, if left out). */
export function positionsOf(
  { group }: OracleScene,
  clip?: three.AnimationClip,
  time = 0,
): Map<string, three.Vector3> {
  if (clip) {
    const mixer = new three.AnimationMixer(group);
    const action = mixer.clipAction(clip);
    action.setLoop(three.LoopOnce, 1);
    action.clampWhenFinished = true;
    action.play();
    mixer.setTime(time);
  }
  group.updateMatrixWorld(true);
  const positions = new Map<string, three.Vector3>();
  group.traverse((object) => {
    const name: unknown = object.userData.originalName ?? object.name;
    if (typeof name === 'string' && !positions.has(name))
      positions.set(name, new three.Vector3().setFromMatrixPosition(object.matrixWorld));
  });
  return positions;
}
