import { ChevronRight, Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../controls/controls.js';
import type { FileRef } from '../../document/document.js';
import type { FileFacts } from '../../engine/protocol.js';
import { CHAIN_COLORS } from '../../stage/colors.js';
import { theStage } from '../../stage/the-stage.js';
import type { Work } from '../../state/use-work.js';
import { type SideName, setView, toggleHidden, useView } from '../../state/view-store.js';
import {
  addLimbGoals,
  changeConstraint,
  chooseEdit,
  removeGoals,
  useEditChoice,
} from '../../timeline/edit-actions.js';
import { constraintTitle } from '../../timeline/edit-lanes.js';
import { shortNames } from '../joint-names.js';
import { treeRows } from './tree-rows.js';

/** Both bodies with their joints, and the goals, each shown or hidden. */
export function OutlineTree({ work }: { work: Work }) {
  const { source, sourceFacts, target, targetFacts } = work;
  return (
    <>
      {target && targetFacts && <Body side="target" file={target} facts={targetFacts} />}
      {source && sourceFacts && <Body side="source" file={source} facts={sourceFacts} />}
      <Goals work={work} />
    </>
  );
}

function Body({ side, file, facts }: { side: SideName; file: FileRef; facts: FileFacts }) {
  const hidden = useView((state) => state.hidden.includes(file.sha256));
  const selection = useView((state) => state.selection);
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const [isOpen, setOpen] = useState(false);
  const chosen = selection?.side === side ? selection.joint : -1;
  const names = shortNames(facts.skeleton?.names ?? []);
  const rows = facts.skeleton && isOpen ? treeRows(facts.skeleton.parents, closed) : [];
  const fold = (joint: number) => {
    const next = new Set(closed);
    if (!next.delete(joint)) next.add(joint);
    setClosed(next);
  };
  return (
    <div style={{ marginBottom: 6 }}>
      <div style={{ display: 'flex', alignItems: 'center' }}>
        <button
          type="button"
          className="group-head"
          style={{ flex: 1, minWidth: 0 }}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight size={13} aria-hidden style={{ transform: isOpen ? 'rotate(90deg)' : 'none' }} />
          <span className="clip">{file.name}</span>
        </button>
        <IconButton
          small
          label={`${hidden ? 'Show' : 'Hide'} ${file.name}`}
          onClick={() => toggleHidden(file.sha256)}
        >
          {hidden ? <EyeOff size={14} /> : <Eye size={14} />}
        </IconButton>
      </div>
      {isOpen && (
        <ul className="joint-tree" aria-label={`Joints of ${file.name}`}>
          {rows.map(({ joint, depth, hasChildren }) => (
            <li key={joint} style={{ paddingLeft: 9 * depth, display: 'flex', alignItems: 'center' }}>
              {hasChildren ? (
                <button
                  type="button"
                  className="fold"
                  aria-expanded={!closed.has(joint)}
                  aria-label={`Below ${names[joint]}`}
                  onClick={() => fold(joint)}
                >
                  <ChevronRight
                    size={12}
                    aria-hidden
                    style={{ transform: closed.has(joint) ? 'none' : 'rotate(90deg)' }}
                  />
                </button>
              ) : (
                <span className="fold" />
              )}
              <button
                type="button"
                className="tree-joint clip"
                aria-pressed={chosen === joint}
                onClick={(event) => {
                  const isAgain = (event.ctrlKey || event.metaKey) && chosen === joint;
                  setView({ selection: isAgain ? null : { side, joint } });
                }}
                onDoubleClick={() => theStage()?.frameJoint(side, joint)}
              >
                <span
                  className="dot"
                  style={{ color: CHAIN_COLORS[facts.chains[joint] ?? 'none'] }}
                  aria-hidden
                />{' '}
                {names[joint]}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Goals({ work }: { work: Work }) {
  const chosen = useEditChoice((state) => state.constraint);
  const constraints = work.job?.recipe.constraints ?? [];
  return (
    <div>
      <div style={{ display: 'flex', gap: 10, fontSize: 12, padding: '2px 0' }}>
        <span className="quiet" style={{ flex: 1 }}>
          {constraints.length === 0
            ? 'No goals'
            : `${constraints.length} goal${constraints.length > 1 ? 's' : ''}`}
        </span>
        <button type="button" className="link-button" onClick={() => addLimbGoals()}>
          Hold hands and feet
        </button>
        {constraints.length > 0 && (
          <button type="button" className="link-button" onClick={() => removeGoals()}>
            Remove all
          </button>
        )}
      </div>
      <ul aria-label="Goals">
        {constraints.map((constraint, index) => {
          const title = constraintTitle(constraint);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: goals may be alike, and a place is what they are known by
            <li key={index} style={{ display: 'flex', alignItems: 'center' }}>
              <button
                type="button"
                className="tree-joint clip"
                style={{ flex: 1 }}
                aria-pressed={chosen === index}
                onClick={() => chooseEdit({ constraint: index })}
              >
                {title}
              </button>
              <IconButton
                small
                label={`${constraint.muted ? 'Unmute' : 'Mute'} ${title}`}
                onClick={() =>
                  changeConstraint(
                    index,
                    (one) => ({ ...one, muted: !one.muted }),
                    `${constraint.muted ? 'Unmute' : 'Mute'} ${title}`,
                  )
                }
              >
                {constraint.muted ? <EyeOff size={14} /> : <Eye size={14} />}
              </IconButton>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
