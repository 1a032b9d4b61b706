/** Makes a picture that moves, for ever, of PNGs of one size and kind. */
export declare function movingPicture(frames: readonly Buffer[], rate: number): Buffer;
