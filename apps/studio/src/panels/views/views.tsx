import type { Pose } from '@stuntdouble/core';
import { useEffect, useRef, useState } from 'react';
import type { FileId } from '../../engine/protocol.js';
import { updateSettled } from '../../settled.js';
import { createStage } from '../../stage/stage.js';
import { setStage } from '../../stage/the-stage.js';
import { say } from '../../state/derived-store.js';
import { usePresent } from '../../state/use-work.js';
import { type SideName, useView } from '../../state/view-store.js';
import { DropRow } from '../files/files-panel.js';
import { poseReference } from '../pose/pose-actions.js';
import { EmptyView, ViewFrame } from './view-frame.js';

/** The middle of the window: one canvas, and a view for each body. */
export function Views() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [ready, setReady] = useState(false);
  const { source, targets } = usePresent();
  const layout = useView((state) => state.layout);
  useEffect(() => {
    const onPosed = (side: SideName, file: FileId, pose: Pose) => poseReference(side, file, pose);
    try {
      const stage = createStage(canvas.current!, onPosed, updateSettled);
      setStage(stage);
      setReady(true);
      return () => {
        setStage(null);
        setReady(false);
        stage.dispose();
      };
    } catch {
      say('error', 'This browser has no WebGL, so bodies cannot be drawn; everything else works.');
      return undefined;
    }
  }, []);
  const showSource = layout === 'beside' || targets.length === 0;
  const columns = targets.length <= 1 ? 1 : targets.length <= 4 ? 2 : 3;
  const rows = Math.max(1, Math.ceil(targets.length / columns));
  const template = {
    gridTemplateColumns: `${showSource ? 'minmax(0, 1fr) ' : ''}repeat(${columns}, minmax(0, 1fr))`,
    gridTemplateRows: `repeat(${rows}, minmax(0, 1fr))`,
  };
  return (
    <main className="stage" aria-label="Views">
      <canvas ref={canvas} aria-label="Source and result in three dimensions" />
      <div className="views" style={template}>
        {showSource && (
          <div style={{ gridRow: `1 / span ${rows}`, display: 'grid', minWidth: 0, minHeight: 0 }}>
            {ready && source ? (
              <ViewFrame
                key={`source ${source.sha256}`}
                side="source"
                file={source}
                index={0}
                isGrid={false}
              />
            ) : (
              <EmptyView side="source" />
            )}
          </div>
        )}
        {targets.map((target, index) =>
          ready ? (
            <ViewFrame
              key={`target ${target.sha256}`}
              side="target"
              file={target}
              index={index}
              isGrid={targets.length > 1}
            />
          ) : null,
        )}
        {targets.length === 0 && <EmptyView side="target" />}
        {targets.length > 1 && targets.length < rows * columns && (
          <div className="spare">
            <DropRow words="Drop another character here" place="target" add />
          </div>
        )}
      </div>
    </main>
  );
}
