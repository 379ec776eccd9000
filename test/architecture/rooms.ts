/** What one room may know. */
export interface Room {
  readonly purpose: string;
  /** Rooms it may import. */
  readonly rooms: readonly string[];
  /** Packages it may import; a subpath counts as its package. */
  readonly packages: readonly string[];
  /** Node's own modules it may import, with `node:`. */
  readonly builtins: readonly string[] | 'all';
}

const ground = ['resource', 'clock', 'failure'];
const machineLeg = ['definition', 'machine', 'graph', 'manifest'];
const clusterLeg = ['cluster', 'queue', 'engine'];
const surfaces = ['telemetry', 'admission', 'dashboard'];

/** The machine leg computes: the same input gives the same answer, on any day and any machine. */
const pureBuiltins = ['node:util', 'node:crypto'];
const ioBuiltins = [
  ...pureBuiltins,
  'node:buffer',
  'node:dns',
  'node:events',
  'node:fs',
  'node:fs/promises',
  'node:http',
  'node:http2',
  'node:https',
  'node:net',
  'node:os',
  'node:path',
  'node:stream',
  'node:string_decoder',
  'node:tls',
  'node:url',
  'node:zlib',
];

/** The rooms of src/ and what each may import. Two legs, machine and cluster, that meet only in the engine. */
export const rooms: Readonly<Record<string, Room>> = {
  resource: { purpose: 'what an object is, as data', rooms: ['failure'], packages: ['zod'], builtins: [] },
  clock: { purpose: 'the only source of time', rooms: ['failure'], packages: ['luxon'], builtins: ['node:perf_hooks', 'node:timers'] },
  failure: { purpose: 'the base of every error', rooms: [], packages: [], builtins: [] },
  definition: {
    purpose: 'how an author states a lifecycle, checked when defined',
    rooms: ground,
    packages: ['xstate', 'zod', 'luxon'],
    builtins: pureBuiltins,
  },
  machine: {
    purpose: 'state and facts give a legal decision; pure, synchronous',
    rooms: [...ground, 'definition'],
    packages: ['xstate'],
    builtins: pureBuiltins,
  },
  graph: {
    purpose: 'what a machine says without running',
    rooms: [...ground, 'definition', 'machine'],
    // luxon: the durations of timeouts are part of what it says.
    packages: ['xstate', 'luxon'],
    builtins: pureBuiltins,
  },
  manifest: {
    purpose: 'CRD, rules, policies: text from a definition',
    rooms: [...ground, 'definition', 'graph'],
    packages: ['yaml', 'zod'],
    builtins: pureBuiltins,
  },
  cluster: {
    purpose: 'the typed door to an API server',
    rooms: ground,
    packages: ['@kubernetes/client-node', 'zod', 'luxon', 'yaml'],
    builtins: ioBuiltins,
  },
  queue: { purpose: 'which key is next and when', rooms: ground, packages: [], builtins: [] },
  engine: {
    purpose: 'read, observe, decide, record, assert; starts and stops the loops',
    rooms: [...ground, 'definition', 'machine', 'cluster', 'queue'],
    packages: ['luxon', 'zod'],
    builtins: [...pureBuiltins, 'node:events'],
  },
  ...surfaceRooms(),
  apiserver: { purpose: 'the embedded Kubernetes API server; does not know us', rooms: ground, packages: ['yaml'], builtins: ioBuiltins },
  simulation: {
    purpose: 'a seeded world with faults and oracles',
    rooms: [...ground, ...machineLeg, ...clusterLeg, 'apiserver'],
    packages: ['luxon', 'zod'],
    builtins: pureBuiltins,
  },
  testing: {
    purpose: 'what users need to test their own lifecycles',
    rooms: [...ground, ...machineLeg, ...clusterLeg, 'apiserver', 'simulation'],
    packages: ['luxon', 'zod'],
    builtins: pureBuiltins,
  },
  cli: {
    purpose: 'the composition root',
    rooms: [...ground, ...machineLeg, ...clusterLeg, ...surfaces, 'apiserver', 'simulation', 'testing'],
    packages: ['@kubernetes/client-node', 'commander', 'luxon', 'pino', 'xstate', 'yaml', 'zod'],
    builtins: 'all',
  },
};

/** The package's door, src/index.ts: every room but the composition root. */
export const door: Room = {
  purpose: 'the package entry',
  rooms: Object.keys(rooms).filter((room) => room !== 'cli'),
  packages: [],
  builtins: [],
};

/** What a definition in machines/<kind>/ may import beside files of its own folder. */
export const machineFolderPackages = ['phasekeeper', 'zod', 'luxon'];

/** Folders of test/ that do not mirror a room. */
export const testLevels = ['architecture', 'contract', 'control-plane', 'ladder', 'machines', 'mutants', 'scenarios', 'types'];

/** More files than this that know XState, and replacing it is no longer an afternoon's work. */
export const xstateFiles = 3;

export const longestFileLines = 400;

function surfaceRooms(): Readonly<Record<string, Room>> {
  const room = (purpose: string): Room => ({
    purpose,
    rooms: [...ground, 'definition', 'machine', 'graph', 'cluster', 'queue', 'engine'],
    packages: ['pino', 'zod', 'luxon'],
    builtins: ioBuiltins,
  });
  return {
    telemetry: room('shows what the engine does'),
    admission: room('guards writes at the API server'),
    dashboard: room('shows objects and machines to people'),
  };
}
