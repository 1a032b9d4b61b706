import { useEffect, useMemo, useRef, useState } from 'react';
import { Segmented } from '../controls/controls.js';
import { Select } from '../controls/select.js';
import { inWords } from '../panels/in-words.js';
import { shortNames } from '../panels/joint-names.js';
import { sourceTiming } from '../stage/content.js';
import { partnerOf } from '../stage/stage.js';
import { clock } from '../state/clock.js';
import type { Work } from '../state/use-work.js';
import { setView, useView } from '../state/view-store.js';
import { curveNames, curveTitle, curveValues } from './heat.js';
import { type CurveKind, jointCurve } from './joint-curves.js';

const KINDS = [
  { value: 'x' as CurveKind, title: 'X' },
  { value: 'y' as CurveKind, title: 'Height' },
  { value: 'z' as CurveKind, title: 'Z' },
  { value: 'bend' as CurveKind, title: 'Turn' },
] as const;

/** What is drawn where it is no measure. */
const OF_A_JOINT = 'joint';

/** Curves over the clip: of a joint, the source's against the result's, or of whatever is measured over time. */
export function Curves({ work }: { work: Work }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const home = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [kind, setKind] = useState<CurveKind>('y');
  const [measure, setMeasure] = useState(OF_A_JOINT);
  const selection = useView((state) => state.selection);
  const theme = useView((state) => state.theme);
  const { solved, judged, sourceFacts, targetFacts, job } = work;
  const measures = judged ? curveNames(judged.curves) : [];
  const drawn = measures.includes(measure) ? measure : null;
  const fallback = targetFacts?.joints.leftFoot ?? targetFacts?.joints.hips ?? 0;
  const target = selection
    ? selection.side === 'target'
      ? selection.joint
      : partnerOf(selection)
    : fallback;
  const source = target >= 0 ? partnerOf({ side: 'target', joint: target }) : -1;
  const sourceClip = sourceFacts?.clips.find(({ name }) => name === work.clip);
  const curves = useMemo(() => {
    if (!solved || !targetFacts?.skeleton || target < 0) return null;
    const duration = solved.clip.duration;
    if (drawn && judged) {
      const result = Float64Array.from(curveValues(judged.curves, drawn));
      return { result, source: null, duration };
    }
    return {
      result: jointCurve(targetFacts.skeleton, solved.clip, target, kind),
      source:
        sourceClip && sourceFacts?.skeleton && source >= 0
          ? jointCurve(sourceFacts.skeleton, sourceClip, source, kind, { ...sourceTiming(job), duration })
          : null,
      duration,
    };
  }, [solved, judged, drawn, targetFacts, sourceFacts, sourceClip, target, source, kind, job]);
  useEffect(() => {
    const element = home.current!;
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = canvas.current!;
    const context = element.getContext('2d')!;
    const style = getComputedStyle(document.documentElement);
    void theme;
    const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
    let asked = 0;
    const draw = () => {
      asked = 0;
      const ratio = devicePixelRatio;
      element.width = Math.round(size.width * ratio);
      element.height = Math.round(size.height * ratio);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      if (!curves) return;
      const all = [...curves.result, ...(curves.source ?? [])].filter(Number.isFinite);
      // A measure is seen against none of it.
      const [low, high] = [Math.min(...all, ...(drawn ? [0] : [])), Math.max(...all, ...(drawn ? [0] : []))];
      const room = { left: 56, right: 14, top: 10, bottom: 12 };
      const x = (share: number) => room.left + share * (size.width - room.left - room.right);
      const y = (value: number) =>
        room.top + (1 - (value - low) / (high - low || 1)) * (size.height - room.top - room.bottom);
      context.font = '11px "Inter Variable", sans-serif';
      context.textBaseline = 'middle';
      for (const value of [low, (low + high) / 2, high]) {
        context.fillStyle = color('line');
        context.fillRect(room.left, Math.round(y(value)), size.width - room.left - room.right, 1);
        context.fillStyle = color('muted');
        context.fillText(
          drawn ? value.toFixed(1) : value.toFixed(kind === 'bend' ? 0 : 2) + (kind === 'bend' ? '°' : ' m'),
          10,
          y(value),
        );
      }
      const line = (values: Float64Array, stroke: string, dash: number[]) => {
        context.beginPath();
        // Where nothing can be measured the line is broken.
        values.forEach((value, k) => {
          if (!Number.isFinite(value)) return;
          const isOn = k > 0 && Number.isFinite(values[k - 1]!);
          context[isOn ? 'lineTo' : 'moveTo'](x(k / (values.length - 1)), y(value));
        });
        context.strokeStyle = stroke;
        context.lineWidth = 1.6;
        context.setLineDash(dash);
        context.stroke();
        context.setLineDash([]);
      };
      if (curves.source) line(curves.source, color('muted'), [5, 4]);
      line(curves.result, color('accent'), []);
      context.fillStyle = color('text');
      context.fillRect(
        x(curves.duration > 0 ? clock.time() / curves.duration : 0) - 0.75,
        0,
        1.5,
        size.height,
      );
    };
    const ask = () => {
      if (asked === 0) asked = requestAnimationFrame(draw);
    };
    ask();
    const stop = clock.subscribe(ask);
    return () => {
      stop();
      cancelAnimationFrame(asked);
    };
  }, [curves, size, kind, drawn, theme]);
  const names = useMemo(() => shortNames(targetFacts?.skeleton?.names ?? []), [targetFacts]);
  const sourceNames = useMemo(() => shortNames(sourceFacts?.skeleton?.names ?? []), [sourceFacts]);
  return (
    <div className="console">
      <div className="console-bar">
        <div style={{ width: 150, display: 'flex' }}>
          <Select
            label="Joint or measure"
            value={drawn ?? OF_A_JOINT}
            options={[
              { value: OF_A_JOINT, title: 'Of a joint' },
              ...measures.map((name) => ({ value: name, title: inWords(curveTitle(name)) })),
            ]}
            onChange={setMeasure}
          />
        </div>
        {drawn === null && (
          <>
            <div style={{ width: 190, display: 'flex' }}>
              <Select
                label="Joint"
                value={String(Math.max(0, target))}
                options={names.map((name, joint) => ({
                  value: String(joint),
                  title: name || `joint ${joint}`,
                }))}
                onChange={(joint) => setView({ selection: { side: 'target', joint: Number(joint) } })}
              />
            </div>
            <Segmented label="What is drawn" value={kind} options={KINDS} onChange={setKind} />
            <span className="quiet">
              <span style={{ color: 'var(--accent)' }}>━</span> result
              {source >= 0 && ` · ╌ source, ${sourceNames[source]}`}
            </span>
          </>
        )}
      </div>
      <div ref={home} style={{ flex: 1, minHeight: 0, position: 'relative' }}>
        <canvas
          ref={canvas}
          style={{ position: 'absolute', inset: 0, width: '100%', height: '100%' }}
          aria-label={
            drawn
              ? `Curve of: ${curveTitle(drawn)}`
              : `Curve of ${names[target] ?? 'a joint'}, result against source`
          }
          onPointerDown={(event) => {
            const rect = event.currentTarget.getBoundingClientRect();
            const share = (event.clientX - rect.left - 56) / (rect.width - 70);
            clock.play(false);
            clock.seek(Math.max(0, Math.min(1, share)) * (curves?.duration ?? 0));
          }}
        />
      </div>
    </div>
  );
}
