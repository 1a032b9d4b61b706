import { Interpolant, type KeyframeTrack, type TypedArray } from 'three';

/** Samples keys of in-tangent, value and out-tangent, as glTF's CUBICSPLINE has them. */
class CubicInterpolant extends Interpolant {
  /** Whether values are unit quaternions. */
  isRotation = false;

  /** Called by three before the first and after the last key. */
  override copySampleValue_(index: number): TypedArray {
    const { resultBuffer, sampleValues, valueSize } = this;
    const at = (3 * index + 1) * valueSize;
    for (let c = 0; c < valueSize; c++) resultBuffer[c] = sampleValues[at + c]!;
    return resultBuffer;
  }

  /** Called by three between two keys, of which `next` is the later. */
  interpolate_(next: number, before: number, time: number, after: number): TypedArray {
    const { resultBuffer, sampleValues, valueSize } = this;
    const span = after - before;
    const u = (time - before) / span;
    const u2 = u * u;
    const u3 = u2 * u;
    // Hermite basis of the glTF specification, appendix C: tangents are per second, so they take the span.
    const h0 = 2 * u3 - 3 * u2 + 1;
    const h1 = (u3 - 2 * u2 + u) * span;
    const h2 = -2 * u3 + 3 * u2;
    const h3 = (u3 - u2) * span;
    const a = (3 * (next - 1) + 1) * valueSize;
    const b = (3 * next + 1) * valueSize;
    let square = 0;
    for (let c = 0; c < valueSize; c++) {
      const value =
        h0 * sampleValues[a + c]! +
        h1 * sampleValues[a + valueSize + c]! +
        h2 * sampleValues[b + c]! +
        h3 * sampleValues[b - valueSize + c]!;
      resultBuffer[c] = value;
      square += value * value;
    }
    if (this.isRotation && square > 0) {
      const unit = 1 / Math.sqrt(square);
      for (let c = 0; c < valueSize; c++) resultBuffer[c] = resultBuffer[c]! * unit;
    }
    return resultBuffer;
  }
}

type InterpolantFactory = ((result?: TypedArray) => Interpolant) & {
  isInterpolantFactoryMethodGLTFCubicSpline?: boolean;
};

/** A track of three's with the way it makes its interpolants, which its types leave out. */
type FactoryTrack = KeyframeTrack & { createInterpolant: InterpolantFactory };

/**
 * Whether a track's keys are in-tangent, value, out-tangent, as GLTFLoader and this adapter make them. Such
 * tracks carry a mark on the function that makes their interpolants; exporters look for it too.
 */
export function isCubicTrack(track: KeyframeTrack): boolean {
  return (track as FactoryTrack).createInterpolant?.isInterpolantFactoryMethodGLTFCubicSpline === true;
}

/** Makes a track play its values as in-tangent, value and out-tangent a key. */
export function makeCubic(track: KeyframeTrack): void {
  const factory: InterpolantFactory = function (this: KeyframeTrack, result?: TypedArray) {
    const interpolant = new CubicInterpolant(this.times, this.values, this.getValueSize() / 3, result);
    interpolant.isRotation = this.ValueTypeName === 'quaternion';
    return interpolant;
  };
  factory.isInterpolantFactoryMethodGLTFCubicSpline = true;
  (track as FactoryTrack).createInterpolant = factory;
}
