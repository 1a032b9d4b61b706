/*
 * Puts PNGs together into one that moves (APNG): the chunks of the pictures as they are, with their numbers and times
 * between them. PNG specification, third edition, 11.3.6.
 */
import { crc32 } from 'node:zlib';

const SIGNATURE = 8;

/** The chunks of a PNG: type and data. */
function chunksOf(png) {
  const chunks = [];
  for (let at = SIGNATURE; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += 12 + length;
  }
  return chunks;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/**
 * Makes a picture that moves, for ever.
 * @param {readonly Buffer[]} frames PNGs of one size and kind
 * @param {number} rate frames a second
 * @returns {Buffer}
 */
export function movingPicture(frames, rate) {
  const header = chunksOf(frames[0]).find(({ type }) => type === 'IHDR').data;
  const parts = [frames[0].subarray(0, SIGNATURE), chunk('IHDR', header)];
  const count = Buffer.alloc(8);
  count.writeUInt32BE(frames.length, 0);
  parts.push(chunk('acTL', count));
  let number = 0;
  frames.forEach((frame, n) => {
    const chunks = chunksOf(frame);
    if (!chunks[0].data.equals(header))
      throw new Error(`frame ${n} is of another size or kind than the first`);
    const control = Buffer.alloc(26);
    control.writeUInt32BE(number++, 0);
    header.copy(control, 4, 0, 8);
    control.writeUInt16BE(1, 20);
    control.writeUInt16BE(rate, 22);
    parts.push(chunk('fcTL', control));
    for (const { type, data } of chunks) {
      if (type !== 'IDAT') continue;
      if (n === 0) {
        parts.push(chunk('IDAT', data));
        continue;
      }
      const numbered = Buffer.alloc(4 + data.length);
      numbered.writeUInt32BE(number++, 0);
      data.copy(numbered, 4);
      parts.push(chunk('fdAT', numbered));
    }
  });
  parts.push(chunk('IEND', Buffer.alloc(0)));
  return Buffer.concat(parts);
}
