import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Writes files, given as path and text, into a new temporary folder and gives the folder. */
export function writeTree(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'stuntdouble-scripts-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** Runs one of the scripts of this folder as `npm run check` does: in a process of its own. */
export function runScript(name: string, ...args: string[]): { code: number | null; lines: string[] } {
  const script = fileURLToPath(new URL(name, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { code: status, lines: `${stdout}${stderr}`.split('\n').filter((line) => line !== '') };
}
