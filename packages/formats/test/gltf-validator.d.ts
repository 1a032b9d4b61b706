/* The part of the Khronos validator that tests use; the package brings no types. */
declare module 'gltf-validator' {
  export type Issue = { code: string; message: string; severity: number; pointer?: string };
  export function validateBytes(
    bytes: Uint8Array,
    options: {
      maxIssues?: number;
      externalResourceFunction?: (uri: string) => Promise<Uint8Array>;
    },
  ): Promise<{ issues: { numErrors: number; messages: Issue[] } }>;
}
