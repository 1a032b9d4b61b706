#!/usr/bin/env node
import { existsSync } from 'node:fs';

const bundled = new URL('../dist/bundle/supervise.js', import.meta.url);
if (!existsSync(bundled)) {
  process.stderr.write('error: stuntdouble has not been built yet; run "npm ci" or "npm run build" first\n');
  process.exitCode = 1;
} else {
  const { supervise } = await import(bundled.href);
  process.exit(await supervise(process.argv.slice(2), process));
}
