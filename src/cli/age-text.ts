const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const yearMs = 365 * dayMs;

/** Up to each age: the unit, and the smaller one beside it. Above the last one, years alone. */
const steps = [
  { belowMs: 2 * minuteMs, unit: ['s', secondMs] },
  { belowMs: 10 * minuteMs, unit: ['m', minuteMs], rest: ['s', secondMs] },
  { belowMs: 3 * hourMs, unit: ['m', minuteMs] },
  { belowMs: 8 * hourMs, unit: ['h', hourMs], rest: ['m', minuteMs] },
  { belowMs: 2 * dayMs, unit: ['h', hourMs] },
  { belowMs: 8 * dayMs, unit: ['d', dayMs], rest: ['h', hourMs] },
  { belowMs: 2 * yearMs, unit: ['d', dayMs] },
  { belowMs: 8 * yearMs, unit: ['y', yearMs], rest: ['d', dayMs] },
] as const;

/** A length of time as kubectl prints ages: `41m`, `3m5s`, `2d`. A negative one is `0s`. */
export function ageText(lengthMs: number): string {
  const ms = Math.max(0, lengthMs);
  const step = steps.find(({ belowMs }) => ms < belowMs);
  if (step === undefined) return `${Math.floor(ms / yearMs)}y`;
  const [sign, unitMs] = step.unit;
  const count = Math.floor(ms / unitMs);
  if (!('rest' in step)) return `${count}${sign}`;
  const [restSign, restMs] = step.rest;
  const rest = Math.floor((ms - count * unitMs) / restMs);
  return rest === 0 ? `${count}${sign}` : `${count}${sign}${rest}${restSign}`;
}
