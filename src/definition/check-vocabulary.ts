import type { FaultList } from './fault-list.ts';
import type { KnownWords } from './known-words.ts';
import { suggestName } from './nearest-name.ts';
import { isPlainObject } from './scan-json.ts';
import { emptySections } from './vocabulary-sections.ts';

type Vocabulary = Readonly<Record<string, unknown>>;

/** Parts of the design that this version does not have. */
const later: Readonly<Record<string, string>> = {
  schedules: 'a timeout in after for delays; an external scheduler that writes the spec for cron',
  publishes: 'announce: each transition is a Kubernetes Event',
  outside: 'a probe for what is asked, an ensure for what must exist',
  others: 'one lifecycle per kind',
  primary: 'one lifecycle per kind',
};

const scalars = ['group', 'version', 'versions', 'kind', 'plural', 'shortNames', 'scope', 'machineVersion', 'columns'];
const schemas = ['spec', 'status', 'memory'];
const known = [...scalars, ...schemas, ...Object.keys(emptySections), 'report', 'adopt'];

/** Status fields that the engine writes. */
const ownStatusFields = ['phase', 'observedGeneration', 'lifecycle', 'conditions'];

/** Checks what is not a named word: identity, schemas, versions, columns, report and adopt. */
export function checkVocabulary(vocabulary: Vocabulary, words: KnownWords, faults: FaultList): void {
  checkKeys(vocabulary, words.kind, faults);
  for (const rule of identityRules) {
    const value = vocabulary[rule.key];
    if (value === undefined ? !rule.optional : typeof value !== 'string' || !rule.pattern.test(value)) {
      faults.add('WRONG_SHAPE', `${words.kind}.${rule.key}`, {
        reason: value === undefined ? 'it is missing' : `${show(value)} is not ${rule.is}`,
        instead: rule.example,
      });
    }
  }
  checkVersions(vocabulary, words.kind, faults);
  for (const key of schemas) checkSchema(vocabulary[key], { key, place: `${words.kind}.${key}` }, faults);
  for (const key of ['report', 'adopt']) {
    if (vocabulary[key] !== undefined && typeof vocabulary[key] !== 'function') {
      faults.add('WRONG_SHAPE', `${words.kind}.${key}`, { reason: 'it is not a function', instead: `${key}: (view) => …` });
    }
  }
  checkColumns(vocabulary['columns'], `${words.kind}.columns`, faults);
}

interface IdentityRule {
  readonly key: string;
  readonly pattern: RegExp;
  readonly is: string;
  readonly example: string;
  readonly optional?: true;
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const identityRules: readonly IdentityRule[] = [
  { key: 'group', pattern: new RegExp(`^${label}(\\.${label})+$`), is: 'a DNS name with a dot', example: "group: 'cache.example.com'" },
  { key: 'version', pattern: /^[a-z]([-a-z0-9]*[a-z0-9])?$/, is: 'a version name', example: "version: 'v1'" },
  { key: 'kind', pattern: /^[A-Z][A-Za-z0-9]*$/, is: 'a PascalCase kind', example: "kind: 'NodePool'" },
  { key: 'plural', pattern: new RegExp(`^${label}$`), is: 'a lower case plural', example: "plural: 'nodepools'", optional: true },
  { key: 'scope', pattern: /^(Cluster|Namespaced)$/, is: 'a scope', example: "scope: 'Namespaced', or 'Cluster'" },
  { key: 'machineVersion', pattern: /^\d+\.\d+\.\d+([-+][\w.+-]+)?$/, is: 'a semantic version', example: "machineVersion: '1.0.0'" },
];

function checkKeys(vocabulary: Vocabulary, kind: string, faults: FaultList): void {
  for (const key of Object.keys(vocabulary)) {
    const place = `${kind}.${key}`;
    if (known.includes(key)) continue;
    const instead = Object.hasOwn(later, key) ? later[key] : undefined;
    if (instead !== undefined) faults.add('NOT_SUPPORTED', place, { reason: 'this version does not have it yet', instead });
    else faults.add('UNKNOWN_KEY', place, { reason: 'a vocabulary has no such part', instead: suggestName(key, known) });
  }
  for (const section of Object.keys(emptySections)) {
    const value = vocabulary[section];
    if (value !== undefined && !isPlainObject(value)) {
      faults.add('WRONG_SHAPE', `${kind}.${section}`, { reason: 'it is not an object of names', instead: `${section}: { name: … }` });
    }
  }
}

function checkVersions({ version, versions, shortNames }: Vocabulary, kind: string, faults: FaultList): void {
  for (const [key, list] of Object.entries({ versions, shortNames })) {
    if (list !== undefined && !isNames(list)) {
      faults.add('WRONG_SHAPE', `${kind}.${key}`, { reason: 'it is not a list of different lower case names', instead: `${key}: ['…']` });
    }
  }
  const served: readonly unknown[] = Array.isArray(versions) ? versions : [version];
  if (!served.includes(version)) {
    faults.add('VERSION_NOT_SERVED', `${kind}.versions`, {
      reason: `the storage version ${show(version)} is not among the served ones`,
      instead: `versions: ${JSON.stringify([...served, version])}`,
    });
  }
}

function isNames(list: unknown): boolean {
  return (
    Array.isArray(list) &&
    list.every((each) => typeof each === 'string' && /^[a-z][-a-z0-9]*$/.test(each)) &&
    new Set(list).size === list.length
  );
}

interface SchemaPlace {
  readonly key: string;
  readonly place: string;
}

/** zod 4 schemas describe themselves under `def`. */
function checkSchema(schema: unknown, { key, place }: SchemaPlace, faults: FaultList): void {
  if (schema === undefined && key !== 'spec') return;
  const shape: unknown = isObject(schema) && isObject(Reflect.get(schema, 'def')) ? Reflect.get(schema, 'shape') : undefined;
  if (!isObject(schema) || !isObject(shape)) {
    faults.add('WRONG_SHAPE', place, { reason: 'it is not a zod object schema', instead: `${key}: z.object({ … })` });
    return;
  }
  if (key === 'status') {
    for (const field of ownStatusFields.filter((each) => Object.hasOwn(shape, each))) {
      faults.add('RESERVED_NAME', `${place}.${field}`, {
        reason: `the engine writes status.${field}`,
        instead: 'another name for your field',
      });
    }
  }
  if (key === 'memory' && !acceptsNothing(schema)) {
    faults.add('NO_DEFAULT', place, {
      reason: 'an object without a record has no memory, so every field must be able to start without a value',
      instead: 'attempts: z.int().default(0)',
    });
  }
}

function acceptsNothing(schema: object): boolean {
  const parse: unknown = Reflect.get(schema, 'safeParse');
  const result: unknown = typeof parse === 'function' ? Reflect.apply(parse, schema, [{}]) : undefined;
  return isObject(result) && Reflect.get(result, 'success') === true;
}

function checkColumns(columns: unknown, place: string, faults: FaultList): void {
  if (columns === undefined) return;
  const list: readonly unknown[] = Array.isArray(columns) ? columns : [undefined];
  for (const [index, column] of list.entries()) {
    const right =
      isPlainObject(column) &&
      typeof column['name'] === 'string' &&
      (column['type'] === 'string' || column['type'] === 'integer') &&
      typeof column['jsonPath'] === 'string' &&
      column['jsonPath'].startsWith('.');
    if (right) continue;
    faults.add('WRONG_SHAPE', `${place}[${index}]`, {
      reason: 'a column has a name, a type (string or integer) and a jsonPath that starts with a dot',
      instead: "{ name: 'Replicas', type: 'integer', jsonPath: '.status.replicas' }",
    });
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : typeof value === 'function' ? 'a function' : JSON.stringify(value);
}
