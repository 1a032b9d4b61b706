import { basename } from 'node:path';
import {
  type AlignmentMode,
  type Limb,
  oneLine,
  printable,
  type ReferenceChoice,
  UsageError,
} from '@stuntdouble/core/engine';
import { GATES, measureCard, measureScenes, readFamily, readOptionsOf } from '@stuntdouble/jobs';
import { isSameFile, type WriteOptions } from '@stuntdouble/jobs/node';
import type { Command } from 'commander';
import { EXIT_CODES } from '../exit-codes.js';
import { parseAlignment, parseClipPair, parseMeasureLimit, parseReference } from '../flags/arguments.js';
import { addOptionFlags, SPACE_OPTIONS, spaceOptionsOf } from '../flags/option-flags.js';
import { junitReport } from '../measure/junit.js';
import { checkInputs, readTyped } from '../standard-streams.js';
import { measuredLines, measureJson } from '../text/measure-summary.js';
import {
  addSharedOptions,
  addWriteOptions,
  answer,
  type Context,
  checkTyped,
  finish,
  loadMap,
  type SharedOptions,
  writeTyped,
} from './context.js';

const EXAMPLES = `
Examples:
  $ stuntdouble measure walk.glb hero-walk.vrm
      how true hero-walk.vrm is to walk.glb, clip by clip and limb by limb
  $ stuntdouble measure walk.glb other-tool.glb --clip Walk=mixamo.com
      measure what another tool made: any clip against any other
  $ stuntdouble measure walk.glb hero-walk.vrm --map hero-map.json
      with the map that the result was made with
  $ stuntdouble measure walk.glb hero-walk.vrm --html card.html
      curves, bad frames and contacts over time, in one page
  $ stuntdouble measure walk.glb hero-walk.vrm --max-slide 1.5 --min-agreement 0.98 --junit card.xml
      fails where feet slide more or contacts agree less

Clips are paired by name; "walk (2)", as retarget names a clip whose name was taken, counts as "walk"; one clip
on either side is a pair whatever it is called.

What --json prints:
  { clips: [{ name, direction: { mean, p99, worst, limbs: { leftArm: { mean, p99, worst }, … } },
              rotation: { mean, p99, worst }, twist: { … } or null, kneeBend, samples,
              motion: { slide, heights, agreement, support, soleTilt, reach, selfContact, armsAlone, carriedHands, ground,
                        smoothness, limits, pops, correction, loopSeam, notMeasured: { slide: why, … } },
              skin: { stretch, torn, drift, edges, instants },
              penetration: { deepest, mean, share, copied, instants } or null }],
    pooled: { slide, float, sink, sunk, agreement, support, selfContact, armsAlone, carriedHands, ground, groundSkin,
              jerkRatio, pops, kneePops, bendFlips },
    coverage: { driven, confidence, left } or null,
    verdict, reasons: [{ verdict, code, message, clip? }],
    limits: [{ flag, clip, limit, value, passed, message }],
    notes: [{ code, message }], warnings: [{ code, message }] }
  All angles in degrees, lengths in % of the hip height, slide in %/s; what could not be measured is null.
`;

type MeasureFlags = SharedOptions &
  WriteOptions & {
    html?: string;
    junit?: string;
    skin?: boolean;
    clip?: string[];
    map?: string;
    skeleton?: string;
    sourceSkeleton?: string;
    referenceSource?: ReferenceChoice;
    referenceTarget?: ReferenceChoice;
    referenceFrom?: string[];
    align?: Partial<Record<Limb, AlignmentMode>>;
  };

/** Adds the command `measure SOURCE RESULT`. */
export function addMeasure(program: Command, context: Context): void {
  const command = addWriteOptions(
    addSharedOptions(
      program
        .command('measure')
        .summary('the report card of a result')
        .description(
          'Measures how true the clips of RESULT are to those of SOURCE: where limbs point, how far joints have turned, how they are twisted; whether feet slide, float, sink and stand as in the source; whether hands meet the body, and whether all is smooth. The map is found as retarget finds it.',
        )
        .argument('<SOURCE>', 'the file with the original motion')
        .argument('<RESULT>', 'the file with the motion on another character')
        .option(
          '--clip <A=B>',
          'measure clip A of SOURCE against clip B of RESULT; repeatable',
          parseClipPair,
        )
        .option('--map <FILE>', 'the map that the result was made with')
        .option('--skeleton <NAME>', 'the skeleton of RESULT, by name or number, where there are several')
        .option('--source-skeleton <NAME>', 'the skeleton of SOURCE, likewise')
        .option('--reference-source <POSE>', 'auto, rest, bind, frame:K or CLIP@SECONDS', parseReference)
        .option('--reference-target <POSE>', 'likewise for RESULT', parseReference)
        .option('--align <LIMB=MODE>', 'as given to retarget; repeatable', parseAlignment)
        .option(
          '--html <FILE>',
          'write the card as a page, with pictures of the worst moments, curves and contacts over time',
        )
        .option('--skin', 'look at the skin in every frame, not at 30 instants a clip')
        .option('--junit <FILE>', 'write the limits below as a JUnit report'),
    ),
  );
  for (const { flag, meaning } of GATES)
    command.option(`--${flag} <NUMBER>`, `fail where not kept: ${meaning}`, parseMeasureLimit);
  addOptionFlags(command, SPACE_OPTIONS);
  command
    .addHelpText('after', EXAMPLES)
    .action(async (sourcePath: string, resultPath: string, options: MeasureFlags) => {
      const files = [options.html, options.junit].filter((path) => path !== undefined);
      for (const path of files) {
        // A card in the place of what it is about is never meant, --force or not.
        for (const input of [sourcePath, resultPath])
          if (isSameFile(path, input)) throw new UsageError(`${path} is one of the files that are read`);
      }
      checkInputs(['SOURCE', sourcePath], ['RESULT', resultPath]);
      checkTyped(files, options);
      const map = await loadMap(options.map);
      const { progress } = context.terminal;
      progress.update(0, 1, `reading ${basename(sourcePath)}`);
      const source = await readTyped(sourcePath, readOptionsOf(options));
      progress.update(0.25, 1, `reading ${basename(resultPath)}`);
      const result = await readTyped(resultPath, readOptionsOf(options));
      const family = await readFamily(options.referenceFrom, readOptionsOf(options));
      progress.update(0.5, 1, 'measuring');
      const job = {
        source: { name: sourcePath, scene: source },
        result: { name: resultPath, scene: result },
        ...(options.clip && { pairs: options.clip }),
        limits: limitsOf(options),
        options: {
          heat: options.html !== undefined,
          ...(options.skin && { skinInstants: Number.POSITIVE_INFINITY }),
          ...(map ? { map } : {}),
          ...(options.sourceSkeleton === undefined ? {} : { sourceSkeleton: options.sourceSkeleton }),
          ...(options.skeleton === undefined ? {} : { targetSkeleton: options.skeleton }),
          ...(options.referenceSource === undefined ? {} : { sourceReference: options.referenceSource }),
          ...(options.referenceTarget === undefined ? {} : { targetReference: options.referenceTarget }),
          ...(options.align === undefined ? {} : { alignment: options.align }),
          ...spaceOptionsOf(options),
          ...(family.length > 0 ? { sourceFamily: family } : {}),
        },
      };
      const measured = await measureScenes(job);
      const { clips, limits, verdict } = measured;
      if (options.html !== undefined) {
        writeTyped(options.html, await measureCard(job, measured), options, context);
      }
      if (options.junit !== undefined)
        writeTyped(options.junit, junitReport(clips, limits), options, context);
      const { terminal } = context;
      answer(
        context,
        options,
        () => measureJson(measured),
        () => [
          ...measuredLines([sourcePath, resultPath], measured, options.clip !== undefined, terminal),
          ...files.map((path) => `${terminal.colors.green('wrote')} ${printable(path)}`),
        ],
      );
      finish(context, options, measured.told, verdict);
      const failed = limits.filter(({ passed }) => !passed);
      if (failed.length === 0) return;
      context.exitCode = EXIT_CODES.limitNotKept;
      // With --json standard output holds the document alone; a person still reads what failed.
      if (options.json) for (const { message } of failed) context.terminal.err(`${oneLine(message)}\n`);
    });
}

/** The limits that were given, by flag; commander keeps `--max-slide` as `maxSlide`. */
function limitsOf(options: MeasureFlags): Record<string, number> {
  const given: Record<string, unknown> = options;
  const limits: Record<string, number> = {};
  for (const { flag } of GATES) {
    const value = given[flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())];
    if (typeof value === 'number') limits[flag] = value;
  }
  return limits;
}
