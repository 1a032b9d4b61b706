/* The part of draco3dgltf's encoder that the samples use; the package brings no types. */
declare module 'draco3dgltf/draco_encoder_gltf_nodejs.js' {
  type DracoMesh = { ptr: number };
  type DracoData = { GetValue(i: number): number };
  type MeshBuilder = {
    AddFacesToMesh(mesh: DracoMesh, count: number, indices: Uint32Array): boolean;
    AddFloatAttribute(
      mesh: DracoMesh,
      kind: number,
      count: number,
      size: number,
      values: Float32Array,
    ): number;
    AddUInt8Attribute(mesh: DracoMesh, kind: number, count: number, size: number, values: Uint8Array): number;
  };
  type Encoder = {
    SetSpeedOptions(encoding: number, decoding: number): void;
    SetEncodingMethod(method: number): void;
    SetAttributeQuantization(kind: number, bits: number): void;
    EncodeMeshToDracoBuffer(mesh: DracoMesh, out: DracoData): number;
  };
  export type DracoEncoderModule = {
    Encoder: new () => Encoder;
    MeshBuilder: new () => MeshBuilder;
    Mesh: new () => DracoMesh;
    DracoInt8Array: new () => DracoData;
    POSITION: number;
    NORMAL: number;
    GENERIC: number;
    MESH_EDGEBREAKER_ENCODING: number;
    destroy(object: object): void;
  };
  const createEncoderModule: (options?: object) => Promise<DracoEncoderModule>;
  export default createEncoderModule;
}
