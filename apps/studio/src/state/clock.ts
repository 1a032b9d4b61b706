/*
 * Time goes on sixty times a second: it is kept apart from the stores, so that nothing is laid out anew for it.
 */

type Listener = (time: number, playing: boolean) => void;

/** The playhead: seconds of the result. */
export type Clock = {
  time(): number;
  playing(): boolean;
  duration(): number;
  seek(time: number): void;
  play(on: boolean): void;
  setDuration(seconds: number): void;
  /** Goes on by so many seconds of the wall, where it plays. */
  advance(seconds: number, speed: number, loop: boolean): void;
  subscribe(listener: Listener): () => void;
};

/** A clock that stands at 0. */
export function createClock(): Clock {
  let time = 0;
  let playing = false;
  let duration = 0;
  const listeners = new Set<Listener>();
  const tell = () => {
    for (const listener of listeners) listener(time, playing);
  };
  return {
    time: () => time,
    playing: () => playing,
    duration: () => duration,
    seek(to) {
      const next = Math.min(Math.max(0, to), duration);
      if (next === time) return;
      time = next;
      tell();
    },
    play(on) {
      if (on === playing) return;
      playing = on;
      if (on && time >= duration) time = 0;
      tell();
    },
    setDuration(seconds) {
      if (seconds === duration) return;
      duration = seconds;
      time = Math.min(time, duration);
      tell();
    },
    advance(seconds, speed, loop) {
      if (!playing || duration <= 0) return;
      const next = time + seconds * speed;
      if (next <= duration) time = next;
      else if (loop) time = next % duration;
      else {
        time = duration;
        playing = false;
      }
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The one playhead of the studio. */
export const clock = createClock();
