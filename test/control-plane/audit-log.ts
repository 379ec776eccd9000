import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/** One request, as the API server recorded it when it had answered (or, for a watch, when it had begun and again when it ended). */
export interface AuditEntry {
  readonly id: string;
  readonly stage: 'ResponseStarted' | 'ResponseComplete' | 'Panic';
  readonly user: string;
  readonly userAgent: string;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; the HTTP method in lower case elsewhere. */
  readonly verb: string;
  /** Path and query. */
  readonly uri: string;
  readonly group: string;
  readonly resource: string | undefined;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly code: number;
  /** RFC 3339 with microseconds. */
  readonly at: string;
  /** Of the users whose bodies are recorded, on writes; a patch as it was sent. */
  readonly requestBody: unknown;
  readonly responseBody: unknown;
}

export interface AuditFilter {
  readonly user?: string;
  readonly verb?: string | readonly string[];
  readonly group?: string;
  readonly resource?: string;
  /** `''` for none. */
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly code?: number;
  /** Default `ResponseComplete`. */
  readonly stage?: AuditEntry['stage'];
  /** create, update, patch, delete, deletecollection. */
  readonly writes?: boolean;
}

/** The part of an audit.k8s.io/v1 Event that is read here. */
interface AuditLine {
  readonly auditID: string;
  readonly stage: AuditEntry['stage'];
  readonly requestURI: string;
  readonly verb: string;
  readonly user?: { readonly username?: string };
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
  readonly stageTimestamp: string;
}

const writeVerbs: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
const chunkBytes = 1 << 20;

function entryOf(line: AuditLine): AuditEntry {
  return {
    id: line.auditID,
    stage: line.stage,
    user: line.user?.username ?? '',
    userAgent: line.userAgent ?? '',
    verb: line.verb,
    uri: line.requestURI,
    group: line.objectRef?.apiGroup ?? '',
    resource: line.objectRef?.resource,
    subresource: line.objectRef?.subresource,
    namespace: line.objectRef?.namespace,
    name: line.objectRef?.name,
    code: line.responseStatus?.code ?? 0,
    at: line.stageTimestamp,
    requestBody: line.requestObject,
    responseBody: line.responseObject,
  };
}

function matches(entry: AuditEntry, filter: AuditFilter): boolean {
  const verbs = filter.verb === undefined ? undefined : [filter.verb].flat();
  return (
    entry.stage === (filter.stage ?? 'ResponseComplete') &&
    (filter.writes === undefined || writeVerbs.has(entry.verb) === filter.writes) &&
    (verbs === undefined || verbs.includes(entry.verb)) &&
    (filter.user === undefined || entry.user === filter.user) &&
    (filter.group === undefined || entry.group === filter.group) &&
    (filter.resource === undefined || entry.resource === filter.resource) &&
    (filter.subresource === undefined || (entry.subresource ?? '') === filter.subresource) &&
    (filter.namespace === undefined || entry.namespace === filter.namespace) &&
    (filter.name === undefined || entry.name === filter.name) &&
    (filter.code === undefined || entry.code === filter.code)
  );
}

/** The API server's audit log, read as far as it has been written. */
export class AuditLog {
  readonly #file: string;
  readonly #entries: AuditEntry[] = [];
  #offset = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** In the order of the log: that in which the answers were finished. */
  entries(filter: AuditFilter = {}): readonly AuditEntry[] {
    this.#readOn();
    return this.#entries.filter((entry) => matches(entry, filter));
  }

  #readOn(): void {
    if (!existsSync(this.#file)) return;
    const file = openSync(this.#file, 'r');
    const chunks: Buffer[] = [];
    try {
      for (let at = this.#offset; ; ) {
        const chunk = Buffer.alloc(chunkBytes);
        const bytes = readSync(file, chunk, 0, chunkBytes, at);
        if (bytes === 0) break;
        chunks.push(chunk.subarray(0, bytes));
        at += bytes;
      }
    } finally {
      closeSync(file);
    }
    const fresh = Buffer.concat(chunks);
    // A line that is being written has no end yet; it is read with the next call.
    const whole = fresh.subarray(0, fresh.lastIndexOf(0x0a) + 1);
    this.#offset += whole.length;
    for (const line of whole.toString('utf8').split('\n')) {
      if (line !== '') this.#entries.push(entryOf(JSON.parse(line)));
    }
  }
}
