import type { DraftEdge, DraftReference, DraftState } from './draft.ts';
import type { FaultList } from './fault-list.ts';
import type { KStatus } from './machine-config.ts';
import { suggestName } from './nearest-name.ts';
import { readEdges, readReferences } from './read-edges.ts';
import type { Reading } from './reading.ts';
import { rejectedStateKeys, rejectedStateTypes } from './rejected-constructs.ts';
import { isPlainObject, scanJson } from './scan-json.ts';

const rootKeys = ['description', 'initial', 'entry', 'on', 'states'];
const stateKeys = ['description', 'initial', 'meta', 'entry', 'on', 'after', 'states'];
const kstatuses: readonly KStatus[] = ['InProgress', 'Current', 'Failed', 'Terminating'];

/** Reads a config of any origin, reporting whatever is not as it must be. */
export function readConfig(config: unknown, reading: Reading): DraftState | undefined {
  return readState({ value: config, place: reading.words.kind, path: '', parent: undefined }, reading);
}

interface Source {
  readonly value: unknown;
  readonly place: string;
  readonly path: string;
  readonly parent: DraftState | undefined;
}

function readState(source: Source, reading: Reading): DraftState | undefined {
  const { value, place, path, parent } = source;
  const { faults } = reading;
  if (!isPlainObject(value)) {
    faults.add('WRONG_SHAPE', place, { reason: 'a state is an object', instead: '{ meta: { kstatus: … }, on: { … } }' });
    return undefined;
  }
  refuseKeys(value, source, faults);
  const children = new Map<string, DraftState>();
  const entry: DraftReference[] = [];
  const edges: DraftEdge[] = [];
  const meta = value['meta'];
  const initial = value['initial'];
  if (value['description'] !== undefined && typeof value['description'] !== 'string') {
    faults.add('WRONG_SHAPE', `${place}.description`, { reason: 'a description is text', instead: "description: '…'" });
  }
  const state: DraftState = {
    place,
    path,
    parent,
    children,
    initial: typeof initial === 'string' ? initial : undefined,
    kstatus: path !== '' && meta !== undefined ? readMeta(meta, `${place}.meta`, faults) : undefined,
    entry,
    edges,
  };
  if (value['entry'] !== undefined) entry.push(...readReferences(value['entry'], `${place}.entry`, faults));
  edges.push(...readEdges({ value: value['on'], place: `${place}.on`, key: 'on' }, reading));
  if (path !== '') edges.push(...readEdges({ value: value['after'], place: `${place}.after`, key: 'after' }, reading));
  readChildren(value['states'], state, reading);
  checkInitial(initial, state, faults);
  return state;
}

function readChildren(value: unknown, parent: DraftState, reading: Reading): void {
  const { faults } = reading;
  const place = `${parent.place}.states`;
  if (value === undefined && parent.path !== '') return;
  if (!isPlainObject(value) || Object.keys(value).length === 0) {
    faults.add('WRONG_SHAPE', place, { reason: 'states maps at least one name to a state', instead: 'states: { Pending: { … } }' });
    return;
  }
  for (const [name, child] of Object.entries(value)) {
    if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) {
      const fixed = (name.charAt(0).toUpperCase() + name.slice(1)).replace(/[^A-Za-z0-9]/g, '');
      faults.add('INVALID_NAME', `${place}.${name}`, {
        reason: 'a state is named in PascalCase, letters and digits: its name is a value of status.phase',
        instead: /^[A-Z]/.test(fixed) ? fixed : 'a name such as ScalingUp',
      });
    }
    const path = parent.path === '' ? name : `${parent.path}.${name}`;
    const state = readState({ value: child, place: `${place}.${name}`, path, parent }, reading);
    if (state !== undefined) parent.children.set(name, state);
  }
}

function checkInitial(initial: unknown, state: DraftState, faults: FaultList): void {
  const names = [...state.children.keys()];
  const place = `${state.place}.initial`;
  if (names.length === 0) {
    if (initial !== undefined && state.path !== '') {
      faults.add('NO_INITIAL', place, { reason: 'a state without states cannot start in one', instead: 'leave it out, or add states' });
    }
  } else if (initial === undefined) {
    faults.add('NO_INITIAL', place, { reason: 'it is not said which state is entered first', instead: `initial: '${names[0]}'` });
  } else if (typeof initial !== 'string' || !state.children.has(initial)) {
    faults.add('NO_INITIAL', place, {
      reason: `${JSON.stringify(initial)} is not one of its own states, so nothing could be entered`,
      instead: suggestName(typeof initial === 'string' ? initial : '', names),
    });
  }
}

function refuseKeys(value: Readonly<Record<string, unknown>>, { place, path }: Source, faults: FaultList): void {
  const known = path === '' ? rootKeys : stateKeys;
  for (const [key, inner] of Object.entries(value)) {
    if (known.includes(key)) continue;
    const words = Object.hasOwn(rejectedStateKeys, key) ? rejectedStateKeys[key] : undefined;
    if (key === 'type') refuseType(inner, place, faults);
    else if (words !== undefined) faults.add('REJECTED_CONSTRUCT', `${place}.${key}`, words);
    else if (key === 'after') {
      faults.add('REJECTED_CONSTRUCT', `${place}.after`, {
        reason: 'a timeout counts from when its state was entered, and the root is never entered',
        instead: 'name the timeout in after of the phases it belongs to',
      });
    } else {
      faults.add('UNKNOWN_KEY', `${place}.${key}`, { reason: 'a state has no such part', instead: suggestName(key, known) });
    }
  }
}

function refuseType(type: unknown, place: string, faults: FaultList): void {
  const words = typeof type === 'string' && Object.hasOwn(rejectedStateTypes, type) ? rejectedStateTypes[type] : undefined;
  faults.add(
    'REJECTED_CONSTRUCT',
    `${place}.type`,
    words ?? { reason: 'a state is a leaf or a parent by its states', instead: 'leave it out' },
  );
}

function readMeta(meta: unknown, place: string, faults: FaultList): KStatus | undefined {
  if (!isPlainObject(meta)) {
    faults.add('WRONG_SHAPE', place, { reason: 'meta is an object', instead: "meta: { kstatus: 'InProgress' }" });
    return undefined;
  }
  if (!scanJson(meta, place, faults)) return undefined;
  for (const key of Object.keys(meta)) {
    if (key !== 'kstatus' && key !== 'message') {
      faults.add('UNKNOWN_KEY', `${place}.${key}`, { reason: 'meta has no such part', instead: suggestName(key, ['kstatus', 'message']) });
    }
  }
  const { kstatus, message } = meta;
  if (message !== undefined && typeof message !== 'string') {
    faults.add('WRONG_SHAPE', `${place}.message`, { reason: 'a message is text', instead: "message: '…'" });
  }
  const found = kstatuses.find((each) => each === kstatus);
  if (kstatus !== undefined && found === undefined) {
    faults.add('WRONG_SHAPE', `${place}.kstatus`, {
      reason: `${JSON.stringify(kstatus)} means nothing to kstatus`,
      instead: suggestName(typeof kstatus === 'string' ? kstatus : '', kstatuses),
    });
  }
  // A wrong one was reported: it must not be reported as missing as well.
  return kstatus === undefined ? undefined : (found ?? 'InProgress');
}
