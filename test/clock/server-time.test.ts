import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/clock/manual-clock.ts';
import { ServerTime } from '../../src/clock/server-time.ts';

/** A server whose clock is `aheadMs` ahead of ours and answers in `roundTripMs`. */
function asked({ clock, time, aheadMs, roundTripMs }: { clock: ManualClock; time: ServerTime; aheadMs: number; roundTripMs: number }) {
  const sentMs = clock.monotonicMs();
  clock.advance(roundTripMs / 2);
  const date = new Date(Math.floor((clock.nowMs() + aheadMs) / 1_000) * 1_000).toUTCString();
  clock.advance(roundTripMs / 2);
  time.observe(date, sentMs, clock.monotonicMs());
}

describe('server time', () => {
  it('is the local wall clock until a server has answered', () => {
    const clock = new ManualClock(5_000);
    expect(new ServerTime(clock).nowMs()).toBe(5_000);
  });

  it('comes within a few milliseconds of the server after some answers, however far our own clock is off', () => {
    const clock = new ManualClock();
    const time = new ServerTime(clock);
    for (let answer = 0; answer < 60; answer++) {
      asked({ clock, time, aheadMs: 3_600_000, roundTripMs: 4 });
      clock.advance(137);
    }
    expect(Math.abs(time.nowMs() - (clock.nowMs() + 3_600_000))).toBeLessThan(60);
  });

  it('follows a jump of the server and not one of the local clock', () => {
    const clock = new ManualClock();
    const time = new ServerTime(clock);
    asked({ clock, time, aheadMs: 0, roundTripMs: 2 });
    asked({ clock, time, aheadMs: -3_600_000, roundTripMs: 2 });
    expect(Math.abs(time.nowMs() - (clock.nowMs() - 3_600_000))).toBeLessThanOrEqual(1_000);
  });

  it('does not go back when answers narrow the estimate', () => {
    const clock = new ManualClock();
    const time = new ServerTime(clock);
    let lastMs = Number.NEGATIVE_INFINITY;
    for (let answer = 0; answer < 40; answer++) {
      asked({ clock, time, aheadMs: -730, roundTripMs: 6 });
      expect(time.nowMs()).toBeGreaterThanOrEqual(lastMs);
      lastMs = time.nowMs();
      clock.advance(31);
    }
  });

  it('ignores a header that is not a date', () => {
    const clock = new ManualClock(5_000);
    const time = new ServerTime(clock);
    time.observe('soon', 0, 1);
    expect(time.known).toBe(false);
  });
});
