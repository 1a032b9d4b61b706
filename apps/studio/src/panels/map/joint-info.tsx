import { Euler, Quaternion } from 'three';
import type { FileFacts } from '../../engine/protocol.js';
import type { Work } from '../../state/use-work.js';
import { JointNumbers } from '../pose/joint-numbers.js';
import { poseReference } from '../pose/pose-actions.js';
import { partWords } from '../report/plain-reasons.js';

const TO_DEGREES = 180 / Math.PI;

/** What there is to know of the selected joint and of its partner: parent, turn and offset in the reference pose. */
export function JointInfo({ work, target }: { work: Work; target: number }) {
  const { understanding, sourceFacts, targetFacts } = work;
  if (!understanding || !targetFacts?.skeleton || target < 0) return null;
  const pair = understanding.map.joints.find((one) => one.target === target);
  const driver = pair?.sources.at(-1) ?? -1;
  return (
    <section aria-label="Selected joint">
      <div className="section-head">
        <h2 className="clip" style={{ font: 'inherit' }} title={targetFacts.skeleton.names[target]}>
          {targetFacts.skeleton.names[target]}
        </h2>
        <span className="plain quiet">
          {targetFacts.roles[target] ? partWords(targetFacts.roles[target]!) : 'no body part'}
        </span>
      </div>
      <table className="plain">
        <tbody>
          {pair && <Row name="Why" text={pair.reason} />}
          {pair?.share && (
            <Row name="Share" text={`${Math.round(100 * pair.share.weight)} % of its driver's turn`} />
          )}
          <Facts facts={targetFacts} joint={target} pose={understanding.target.pose} />
          {driver >= 0 && sourceFacts?.skeleton && (
            <>
              <Row name="Driver" text={sourceFacts.skeleton.names[driver] ?? ''} />
              <Facts facts={sourceFacts} joint={driver} pose={understanding.source.pose} />
            </>
          )}
        </tbody>
      </table>
      {work.target && (
        <details>
          <summary className="quiet">Turn it in the reference pose</summary>
          <JointNumbers
            pose={understanding.target.pose}
            joint={target}
            mode="rotate"
            onChange={(pose, gesture) =>
              poseReference('target', work.target!.sha256, pose, 'Turn a joint', gesture)
            }
          />
        </details>
      )}
    </section>
  );
}

function Facts({
  facts,
  joint,
  pose,
}: {
  facts: FileFacts;
  joint: number;
  pose: { rotations: Float64Array; translations: Float64Array };
}) {
  const { names, parents } = facts.skeleton!;
  const turn = new Euler().setFromQuaternion(new Quaternion().fromArray(pose.rotations, 4 * joint), 'YXZ');
  const offset = Array.from(pose.translations.subarray(3 * joint, 3 * joint + 3));
  return (
    <>
      <Row name="Parent" text={parents[joint]! >= 0 ? names[parents[joint]!]! : 'none'} />
      <Row
        name="Turn"
        text={[turn.x, turn.y, turn.z].map((angle) => `${(angle * TO_DEGREES).toFixed(1)}°`).join('  ')}
      />
      <Row name="Offset" text={offset.map((value) => value.toFixed(3)).join('  ')} />
    </>
  );
}

function Row({ name, text }: { name: string; text: string }) {
  return (
    <tr>
      <td className="quiet" style={{ width: 62 }}>
        {name}
      </td>
      <td style={{ overflowWrap: 'anywhere' }}>{text}</td>
    </tr>
  );
}
