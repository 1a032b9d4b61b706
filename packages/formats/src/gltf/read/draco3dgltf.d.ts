/* The part of draco3dgltf that is used; the package brings no types. */
declare module 'draco3dgltf/draco_decoder_gltf_nodejs.js' {
  type DracoArray = { ptr: number };
  type DracoStatus = { ok(): boolean; error_msg(): string };
  type DracoMesh = { num_faces(): number; num_points(): number; ptr: number };
  type DracoAttribute = { num_components(): number };
  type DracoDecoder = {
    DecodeBufferToMesh(buffer: object, mesh: DracoMesh): DracoStatus;
    GetAttributeByUniqueId(mesh: DracoMesh, id: number): DracoAttribute;
    GetTrianglesUInt32Array(mesh: DracoMesh, byteLength: number, pointer: number): boolean;
    GetAttributeDataArrayForAllPoints(
      mesh: DracoMesh,
      attribute: DracoAttribute,
      type: number,
      byteLength: number,
      pointer: number,
    ): boolean;
  };
  export type DracoModule = {
    Decoder: new () => DracoDecoder;
    DecoderBuffer: new () => { Init(bytes: Uint8Array, length: number): void };
    Mesh: new () => DracoMesh;
    DT_FLOAT32: number;
    DT_UINT32: number;
    HEAPF32: Float32Array;
    HEAPU32: Uint32Array;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    destroy(object: object): void;
  };
  const createDecoderModule: (options?: object) => Promise<DracoModule>;
  export default createDecoderModule;
}
