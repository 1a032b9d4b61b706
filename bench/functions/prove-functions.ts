/*
 * Proves the engine's own functions (packages/core/src/base/math/functions.ts): how far the polynomials are from what they
 * stand for, and how far results are from the true values, in units in the last place, against 100 digits and more.
 *
 *   npm run build && node bench/dist/functions/prove-functions.js [--count 100000] [--seed 1]
 *   node bench/dist/functions/prove-functions.js --coefficients        prints what functions.ts is made of
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '../cases/solver-cases.js';
import { fitPolynomials, splitConstants } from './coefficients.js';
import { judgeFunctions } from './judge.js';

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    coefficients: { type: 'boolean' },
  },
});
const fits = fitPolynomials();
if (options.coefficients) {
  for (const [name, { coefficients }] of Object.entries(fits)) console.log(name, coefficients);
  for (const [name, parts] of Object.entries(splitConstants())) console.log(name, parts);
} else {
  console.log('| polynomial | terms | its error, as a part of the result |\n|---|---|---|');
  for (const [name, { coefficients, error }] of Object.entries(fits))
    console.log(`| ${name} | ${coefficients.length} | 2^${Math.log2(error).toFixed(1)} |`);
  console.log('\n| function | arguments | farthest from the true value, ulp | at |\n|---|---|---|---|');
  for (const { name, count, worst, at } of judgeFunctions(
    Number(options.count),
    seededRandom(Number(options.seed)),
  ))
    console.log(`| ${name} | ${count} | ${worst.toFixed(3)} | ${at.join(', ')} |`);
}
