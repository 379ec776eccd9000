/** The sections that map names to what they mean, each empty. */
export const emptySections = Object.freeze({
  dependents: Object.freeze({}),
  watches: Object.freeze({}),
  probes: Object.freeze({}),
  facts: Object.freeze({}),
  commands: Object.freeze({}),
  guards: Object.freeze({}),
  timeouts: Object.freeze({}),
  remembers: Object.freeze({}),
  ensure: Object.freeze({}),
  deletes: Object.freeze({}),
  announce: Object.freeze({}),
  invariants: Object.freeze({}),
  migrations: Object.freeze({}),
});
