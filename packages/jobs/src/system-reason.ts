const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it would be larger than files may be',
  EIO: 'the disk failed',
  EBUSY: 'it is in use',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links go round in a circle',
  EEXIST: 'it is there already (--force replaces it)',
};

/** Why the operating system refused, in words; null where the error is no such refusal. */
export function systemReasonOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  if (error.code in REASONS) return REASONS[error.code]!;
  return 'syscall' in error ? `the system says ${error.code}` : null;
}
