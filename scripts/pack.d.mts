/** Makes the tarball of the package `stuntdouble`, in a folder, and gives its path. */
export function pack(options?: { out?: string; studio?: boolean; repository?: string }): Promise<string>;
