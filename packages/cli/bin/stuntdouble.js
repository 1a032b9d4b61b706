#!/usr/bin/env node
import { existsSync } from 'node:fs';

const built = new URL('../dist/supervise.js', import.meta.url);
if (!existsSync(built)) {
  process.stderr.write('error: stuntdouble has not been built yet; run "npm run build" first\n');
  process.exitCode = 1;
} else {
  const { supervise } = await import(built.href);
  process.exit(await supervise(process.argv.slice(2), process));
}
