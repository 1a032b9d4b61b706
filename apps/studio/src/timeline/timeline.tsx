import type { Contact } from '@stuntdouble/core/engine';
import { useEffect, useMemo, useRef, useState } from 'react';
import { updateSettled } from '../settled.js';
import { sourceTiming } from '../stage/content.js';
import { clock } from '../state/clock.js';
import type { Work } from '../state/use-work.js';
import { useView } from '../state/view-store.js';
import { resetContacts, tellContacts, useContactChoice } from './contact-actions.js';
import { drawTimeline } from './draw-timeline.js';
import {
  addConstraint,
  addKey,
  changeConstraint,
  chooseEdit,
  moveLayerKeys,
  useEditChoice,
} from './edit-actions.js';
import {
  constraintTitle,
  dragRamp,
  type EditHit,
  hitEdit,
  layerTimes,
  layOutEdits,
  type RampTimes,
  toldTimes,
} from './edit-lanes.js';
import { heatOf } from './heat.js';
import {
  CARRIED,
  contactWords,
  dragContact,
  type Hit,
  hitTest,
  laneHeight,
  layOutLanes,
  NAMES,
  type Span,
  snapTime,
  timeOf,
  wholeSpan,
} from './lanes.js';
import { MarksList } from './marks-list.js';
import { standAt } from './spot-actions.js';
import { readColors } from './timeline-colors.js';

type Drag = { hit: Extract<Hit, { kind: 'bar' }>; list: readonly Contact[]; from: number; gesture: string };

type EditDrag = {
  edit: Exclude<EditHit, { kind: 'edit lane' }>;
  /** Where the dragged keys are now. */
  at: number;
  gesture: string;
};

let drags = 0;

/** The timeline: heat of the report, contacts, the playhead. */
export function Timeline({ work, zoom, rate }: { work: Work; zoom: number; rate: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const home = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [offset, setOffset] = useState(0);
  const [bubble, setBubble] = useState<{ x: number; y: number; text: string } | null>(null);
  const [live, setLive] = useState<readonly Contact[] | null>(null);
  const drag = useRef<Drag | EditDrag | 'seek' | null>(null);
  const chosen = useEditChoice();
  const names = useView((state) => state.hiddenHeat);
  const theme = useView((state) => state.theme);
  const selected = useContactChoice((state) => state.selected);
  const { solved, judged } = work;
  // While a change is being solved the timeline stays as it was: what is dragged on it keeps its scale.
  const before = useRef<{ of: string; solved: Work['solved'] } | null>(null);
  const of = [work.job?.source, work.job?.target, work.clip].join(' ');
  if (solved) before.current = { of, solved };
  const shown = solved ?? (before.current?.of === of ? before.current.solved : null);
  const contacts = live ?? shown?.contacts ?? [];
  const duration = shown?.clip.duration ?? 0;
  // Lanes of contacts, and below them at least one row each for constraints and layers.
  const rows = useMemo(() => layOutLanes(contacts).length - 1, [contacts]) + 2;
  const row = laneHeight(size.height, rows);
  const lanes = useMemo(() => layOutLanes(contacts, row), [contacts, row]);
  const timing = sourceTiming(work.job);
  const recipe = work.job?.recipe;
  const bottom = lanes.at(-1);
  const editTop = bottom ? bottom.top + bottom.height : 0;
  const edits = useMemo(
    () =>
      layOutEdits(
        recipe ?? {},
        work.clip,
        editTop,
        duration,
        { offset: timing.offset, rate: timing.rate },
        row,
      ),
    [recipe, work.clip, editTop, duration, timing.offset, timing.rate, row],
  );
  const last = edits.at(-1)!;
  // As high as the lanes: what does not fit is scrolled to.
  const height = Math.max(size.height, last.top + last.height + 2);
  const heat = useMemo(() => (judged ? heatOf(judged.curves, names) : null), [judged, names]);
  const span: Span = useMemo(() => {
    const whole = wholeSpan(duration || 1, size.width);
    return { start: zoom > 1 ? offset : 0, scale: whole.scale * zoom };
  }, [duration, size.width, zoom, offset]);

  useEffect(() => {
    const element = home.current!;
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // What is chosen is seen, and of a part of the time that which is played.
  const lane = edits.find(({ ramps, keys }) =>
    chosen.constraint >= 0
      ? ramps.some(({ index }) => index === chosen.constraint)
      : keys.some(({ layer }) => layer === chosen.layer),
  );
  useEffect(() => {
    const element = home.current;
    if (!lane || !element || drag.current) return;
    if (lane.top < element.scrollTop || lane.top + lane.height > element.scrollTop + element.clientHeight)
      element.scrollTop = lane.top + lane.height + 2 - element.clientHeight;
  }, [lane]);
  useEffect(() => {
    if (zoom <= 1) return undefined;
    const seen = (size.width - NAMES) / (wholeSpan(duration || 1, size.width).scale * zoom);
    const most = Math.max(0, duration - seen);
    const follow = () => {
      const time = clock.time();
      if (drag.current === null)
        setOffset((now) =>
          time < now || time > now + seen
            ? Math.max(0, Math.min(most, time - 0.1 * seen))
            : Math.min(most, now),
        );
    };
    follow();
    return clock.subscribe(follow);
  }, [zoom, size.width, duration]);
  // A drag is over when the whole is solved with what it told.
  useEffect(() => {
    if (solved && drag.current === null) setLive(null);
  }, [solved]);

  useEffect(() => {
    const element = canvas.current!;
    const context = element.getContext('2d')!;
    let asked = 0;
    const draw = () => {
      asked = 0;
      const ratio = devicePixelRatio;
      if (element.width !== Math.round(size.width * ratio) || element.height !== Math.round(height * ratio)) {
        element.width = Math.round(size.width * ratio);
        element.height = Math.round(height * ratio);
      }
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      void theme;
      drawTimeline(context, {
        width: size.width,
        height,
        lanes,
        edits,
        chosen,
        span,
        duration,
        rate,
        time: clock.time(),
        heat,
        selected,
        colors: readColors(),
      });
    };
    const ask = () => {
      if (asked === 0) asked = requestAnimationFrame(draw);
    };
    ask();
    document.fonts?.ready.then(ask);
    const stop = clock.subscribe(ask);
    return () => {
      stop();
      cancelAnimationFrame(asked);
      updateSettled();
    };
  }, [size, height, lanes, edits, chosen, span, duration, rate, heat, selected, theme]);

  const place = (event: React.PointerEvent | React.MouseEvent) => {
    const rect = canvas.current!.getBoundingClientRect();
    return { x: event.clientX - rect.left, y: event.clientY - rect.top };
  };
  const seek = (x: number) => clock.seek(timeOf(span, x));
  const down = (event: React.PointerEvent) => {
    const { x, y } = place(event);
    event.currentTarget.setPointerCapture(event.pointerId);
    const edit = hitEdit(edits, span, x, y);
    if (edit && edit.kind !== 'edit lane') {
      useContactChoice.setState({ selected: -1 });
      chooseEdit(
        edit.kind === 'ramp'
          ? { constraint: edit.ramp.index }
          : { layer: edit.key.layer, key: edit.key.time },
      );
      clock.play(false);
      if (edit.kind === 'key') clock.seek(edit.key.time);
      drag.current = {
        edit,
        at: edit.kind === 'key' ? edit.key.time : edit.time,
        gesture: `edit ${++drags}`,
      };
      return;
    }
    chooseEdit({});
    const hit = hitTest(lanes, span, x, y);
    if (hit.kind === 'bar') {
      useContactChoice.setState({ selected: hit.bar.index });
      drag.current = { hit, list: contacts, from: hit.time, gesture: `contact ${++drags}` };
      return;
    }
    useContactChoice.setState({ selected: -1 });
    drag.current = 'seek';
    if (hit.kind === 'heat') return standAt(Math.max(0, Math.min(duration, hit.time)));
    clock.play(false);
    seek(x);
  };
  const move = (event: React.PointerEvent) => {
    const { x, y } = place(event);
    const now = drag.current;
    if (now === 'seek') return seek(x);
    if (!now) {
      const edit = hitEdit(edits, span, x, y);
      if (edit && edit.kind !== 'edit lane') {
        canvas.current!.style.cursor = edit.kind === 'ramp' && edit.part === 'middle' ? 'grab' : 'ew-resize';
        setBubble({ x, y, text: editWords(edit) });
        return;
      }
      const hit = hitTest(lanes, span, x, y);
      canvas.current!.style.cursor =
        hit.kind === 'bar' ? (hit.part === 'middle' ? 'grab' : 'ew-resize') : 'default';
      setBubble(x > NAMES ? hoverWords(hit, x, y) : null);
      return;
    }
    if ('edit' in now) return dragEdit(now, x, y, event.altKey);
    const contact = now.list[now.hit.bar.index]!;
    const others = now.list.flatMap(({ start, end }, n) => (n === now.hit.bar.index ? [] : [start, end]));
    const snap = (time: number) => (event.altKey ? time : snapTime(time, rate, others, span));
    const moved = dragContact(contact, now.hit.part, timeOf(span, x) - now.from, { rate, duration, snap });
    const next = now.list.map((one, n) => (n === now.hit.bar.index ? moved : one));
    setLive(next);
    setBubble({ x, y, text: `${(moved.start * rate).toFixed(0)} – ${(moved.end * rate).toFixed(0)}` });
    if (moved.start !== contact.start || moved.end !== contact.end)
      tellContacts(
        next,
        now.hit.part === 'middle' ? 'Move a contact' : 'Change how long a contact is',
        now.gesture,
      );
  };
  const editWords = (edit: EditDrag['edit']) => {
    if (edit.kind === 'key') return `keys at frame ${(edit.key.time * rate).toFixed(0)}`;
    const constraint = recipe?.constraints?.[edit.ramp.index];
    return constraint ? constraintTitle(constraint) : '';
  };
  /** Frames, contacts and what else was done by hand are what edits snap to. */
  const dragEdit = (now: EditDrag, x: number, y: number, isFree: boolean) => {
    const { edit, gesture } = now;
    const marks = [
      ...contacts.flatMap(({ start, end }) => [start, end]),
      ...edits
        .flatMap(({ ramps }) => ramps)
        .flatMap((ramp) =>
          edit.kind === 'ramp' && ramp.index === edit.ramp.index
            ? []
            : [ramp.in, ramp.start, ramp.end, ramp.out],
        ),
    ];
    const snap = (time: number) => (isFree ? time : snapTime(time, rate, marks, span));
    if (edit.kind === 'key') {
      const to = Math.max(0, Math.min(duration, snap(timeOf(span, x))));
      const layer = recipe?.layers?.[edit.key.layer];
      const isTaken = layer && layerTimes(layer, timing).some((time) => time !== now.at && time === to);
      if (to !== now.at && !isTaken) moveLayerKeys(edit.key.layer, now.at, to, gesture);
      if (!isTaken) now.at = to;
      setBubble({ x, y, text: `frame ${(now.at * rate).toFixed(0)}` });
      return;
    }
    const times: RampTimes = dragRamp(edit.ramp, edit.part, timeOf(span, x) - edit.time, snap);
    changeConstraint(
      edit.ramp.index,
      (one) => ({ ...one, times: toldTimes(times, timing) }),
      edit.part === 'middle' ? `Move ${edit.ramp.title}` : `Ease ${edit.ramp.title}`,
      gesture,
    );
    const frames = [times.in, times.start, times.end, times.out].map((time) => (time * rate).toFixed(0));
    setBubble({ x, y, text: frames.join(' · ') });
  };
  const up = () => {
    drag.current = null;
    setBubble(null);
  };
  const hoverWords = (hit: Hit, x: number, y: number) => {
    if (hit.kind === 'heat' && heat) {
      const k = Math.max(0, Math.min(heat.level.length - 1, Math.round(hit.time * heat.rate)));
      const worst = heat.worst[k];
      return { x, y, text: worst ? `${worst.title}: ${heat.values[k]!.toFixed(1)} ${worst.unit}` : 'fine' };
    }
    if (hit.kind === 'bar') {
      const contact = contacts[hit.bar.index]!;
      const { start, end } = contact;
      return { x, y, text: `${contactWords(contact)}, ${start.toFixed(2)}–${end.toFixed(2)} s` };
    }
    return null;
  };
  const twice = (event: React.MouseEvent) => {
    const { x, y } = place(event);
    const edit = hitEdit(edits, span, x, y);
    if (edit?.kind === 'edit lane') {
      const time = Math.max(0, Math.min(duration, snapTime(edit.time, rate, [], span)));
      if (edit.name === 'Constraints') addConstraint(time);
      else {
        clock.seek(time);
        addKey(time);
      }
      return;
    }
    const hit = hitTest(lanes, span, x, y);
    if (hit.kind !== 'lane' || !solved) return;
    const start = snapTime(Math.max(0, hit.time), rate, [], span);
    const end = Math.min(duration, start + 0.25);
    // A lane's first point; what hands carry is found, not drawn.
    const point = hit.lane.points[0] as Contact['point'] | undefined;
    if (!point || hit.lane.name === CARRIED || end <= start) return;
    tellContacts([...contacts, { point, start, end, height: 0, position: null }], 'New contact');
  };
  const wheel = (event: React.WheelEvent) => {
    if (zoom <= 1 || (height > size.height && !event.shiftKey && event.deltaX === 0)) return;
    const most = Math.max(0, duration - (size.width - NAMES) / span.scale);
    setOffset((now) => Math.max(0, Math.min(most, now + (event.deltaX + event.deltaY) / span.scale)));
  };
  return (
    <div className="timeline" ref={home}>
      <canvas
        ref={canvas}
        style={{ width: size.width, height }}
        aria-label="Timeline; the same marks stand in the list that follows"
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerLeave={() => !drag.current && setBubble(null)}
        onDoubleClick={twice}
        onWheel={wheel}
      />
      <div className="lane-names" aria-hidden>
        {[...lanes, ...edits].map(({ name, top, height: high }) => (
          <span key={name} style={{ top: top + (Math.min(high, 24) - 16) / 2 }}>
            {name}
          </span>
        ))}
      </div>
      {bubble && (
        <div
          className="bubble"
          style={{
            left: Math.min(bubble.x + 12, size.width - 150),
            top: Math.max(2, Math.min(bubble.y - 30, height - 30)),
          }}
        >
          {bubble.text}
        </div>
      )}
      <MarksList contacts={contacts} duration={duration} rate={rate} onReset={resetContacts} />
    </div>
  );
}
