import {
  Pause,
  Play,
  Repeat,
  SkipBack,
  SkipForward,
  StepBack,
  StepForward,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton, Segmented } from '../controls/controls.js';
import { playedRate, stepFrames } from '../keyboard.js';
import { later } from '../panels/later.js';
import { clock } from '../state/clock.js';
import { useNotes, useWork } from '../state/use-work.js';
import { type BottomTab, setView, useView } from '../state/view-store.js';
import { Timeline } from './timeline.js';

const ConsolePanel = later(async () => (await import('../panels/console/console-panel.js')).ConsolePanel);
const Curves = later(async () => (await import('./curves.js')).Curves);

const SPEEDS = [
  { value: '0.25', title: '¼×' },
  { value: '0.5', title: '½×' },
  { value: '1', title: '1×' },
  { value: '2', title: '2×' },
] as const;

/** Transport, timeline, curves and console. */
export function Bottom() {
  const work = useWork();
  const [playing, setPlaying] = useState(clock.playing());
  const [zoom, setZoom] = useState(1);
  const loop = useView((state) => state.loop);
  const speed = useView((state) => state.speed);
  const tab = useView((state) => state.bottom);
  const notes = useNotes();
  const source = work.sourceFacts?.clips.find(({ name }) => name === work.clip);
  const rate = source ? playedRate(source) : 60;
  // Where nothing comes of it the source plays all the same; without a clip there is nothing to play.
  const duration =
    work.solved?.clip.duration ??
    (!source ? 0 : work.failure || work.understanding?.failure ? source.duration : undefined);
  useEffect(() => {
    if (duration !== undefined) clock.setDuration(duration);
  }, [duration]);
  useEffect(() => clock.subscribe((_, on) => setPlaying(on)), []);
  const tabs: { value: BottomTab; title: string }[] = [
    { value: 'timeline', title: 'Timeline' },
    { value: 'curves', title: 'Curves' },
    { value: 'console', title: notes > 0 ? `Console · ${notes}` : 'Console' },
  ];
  return (
    <>
      <div className="transport" role="toolbar" aria-label="Play">
        <IconButton label="To the start" keys="Home" onClick={() => clock.seek(0)}>
          <SkipBack size={16} />
        </IconButton>
        <IconButton label="A frame back" keys="←" onClick={() => stepFrames(-1)}>
          <StepBack size={16} />
        </IconButton>
        <IconButton
          className="play"
          label={playing ? 'Pause' : 'Play'}
          keys="Space"
          onClick={() => clock.play(!clock.playing())}
        >
          {playing ? <Pause size={17} /> : <Play size={17} />}
        </IconButton>
        <IconButton label="A frame on" keys="→" onClick={() => stepFrames(1)}>
          <StepForward size={16} />
        </IconButton>
        <IconButton label="To the end" keys="End" onClick={() => clock.seek(clock.duration())}>
          <SkipForward size={16} />
        </IconButton>
        <IconButton label="Loop" keys="L" pressed={loop} onClick={() => setView({ loop: !loop })}>
          <Repeat size={16} />
        </IconButton>
        <ClockReadout rate={rate} />
        <span className="spacer" />
        <div className="speeds">
          <Segmented
            label="Speed"
            value={String(speed)}
            options={SPEEDS as never}
            onChange={(next) => setView({ speed: Number(next) })}
          />
        </div>
        <IconButton label="Zoom out" disabled={zoom <= 1} onClick={() => setZoom(Math.max(1, zoom / 1.5))}>
          <ZoomOut size={16} />
        </IconButton>
        <IconButton label="Zoom in" onClick={() => setZoom(Math.min(64, zoom * 1.5))}>
          <ZoomIn size={16} />
        </IconButton>
        <span className="divider wide-only" style={{ margin: '10px 4px' }} />
        <Segmented label="Below" value={tab} options={tabs} onChange={(next) => setView({ bottom: next })} />
      </div>
      <div className="bottom-body">
        {tab === 'timeline' && <Timeline work={work} zoom={zoom} rate={rate} />}
        {tab === 'curves' && <Curves work={work} />}
        {tab === 'console' && <ConsolePanel />}
      </div>
    </>
  );
}

/** The time, written straight into the page: it changes with every picture. */
function ClockReadout({ rate }: { rate: number }) {
  const now = useRef<HTMLElement>(null);
  const end = useRef<HTMLElement>(null);
  const frame = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const words = (seconds: number) =>
      `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${(seconds % 60).toFixed(2).padStart(5, '0')}`;
    const tell = () => {
      const duration = clock.duration();
      if (now.current) now.current.textContent = words(clock.time());
      if (end.current) end.current.textContent = ` / ${duration.toFixed(2).padStart(5, '0')}`;
      if (frame.current)
        frame.current.textContent = `frame ${Math.round(clock.time() * rate)} of ${Math.round(duration * rate)} · ${Number.isInteger(rate) ? rate : rate.toFixed(2)} fps`;
    };
    tell();
    return clock.subscribe(tell);
  }, [rate]);
  return (
    <>
      <span className="clock">
        <b ref={now} />
        <span className="quiet" ref={end} />
      </span>
      <span className="frames quiet wide-only" ref={frame} />
    </>
  );
}
