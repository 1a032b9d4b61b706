import { FreeCamera, ImportMeshAsync, Logger, NullEngine, Scene, Vector3 } from '@babylonjs/core';
import '@babylonjs/loaders/FBX/index.js';

/**
 * Places of nodes in an FBX file as Babylon.js reads it, by name, at seconds of its first take (rest, if
 * there is none). Its scenes are left-handed: x is turned back.
 */
export async function readWithBabylon(
  bytes: Uint8Array,
  seconds: readonly number[],
): Promise<Map<string, [number, number, number]>[]> {
  Logger.LogLevels = Logger.NoneLogLevel;
  const global = globalThis as { FileReader?: unknown };
  const { FileReader } = global;
  global.FileReader = BytesReader;
  const engine = new NullEngine();
  try {
    const scene = new Scene(engine);
    new FreeCamera('camera', Vector3.Zero(), scene);
    const file = new File([bytes.slice()], 'file.fbx');
    const { transformNodes, animationGroups } = await ImportMeshAsync(file, scene, {
      pluginExtension: '.fbx',
    });
    const [group] = animationGroups;
    for (const one of animationGroups) one.stop();
    group?.start(false);
    group?.pause();
    const frameRate = group?.targetedAnimations[0]?.animation.framePerSecond ?? 0;
    return seconds.map((time) => {
      group?.goToFrame(time * frameRate);
      scene.render();
      const places = new Map<string, [number, number, number]>();
      for (const node of transformNodes) {
        node.computeWorldMatrix(true);
        const { x, y, z } = node.getAbsolutePosition();
        places.set(node.name, [-x, y, z]);
      }
      return places;
    });
  } finally {
    engine.dispose();
    global.FileReader = FileReader;
  }
}

/** As much of a browser's FileReader as the loader needs. */
class BytesReader {
  result: ArrayBuffer | null = null;
  onload: ((event: { target: BytesReader }) => void) | null = null;
  onloadend: ((event: { target: BytesReader }) => void) | null = null;
  onerror: ((cause: unknown) => void) | null = null;

  readAsArrayBuffer(file: Blob): void {
    file.arrayBuffer().then(
      (buffer) => {
        this.result = buffer;
        this.onload?.({ target: this });
        this.onloadend?.({ target: this });
      },
      (cause) => this.onerror?.(cause),
    );
  }
}
