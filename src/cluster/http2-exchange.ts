import http2 from 'node:http2';
import type { Clock } from '../clock/clock.ts';
import { messageOf } from '../failure/message-of.ts';
import { asError } from './as-error.ts';
import { ConnectionError } from './connection-error.ts';
import type { Deadline } from './deadline.ts';
import { LineSplitter } from './line-splitter.ts';
import { SilenceAlarm } from './silence-alarm.ts';
import type { ApiResponse, WatchRequest } from './transport.ts';

const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = http2.constants;

/** What a stream carried, however it ended. */
interface Received {
  status: number;
  headers: Record<string, string>;
  readonly chunks: Buffer[];
  ended: boolean;
  error: unknown;
}

/** The whole answer of a stream. */
export function readAnswer(stream: http2.ClientHttp2Stream, deadline: Deadline): Promise<ApiResponse> {
  return new Promise<ApiResponse>((resolve, reject) => {
    const received = listen(stream);
    stream.on('data', (chunk: Buffer) => received.chunks.push(chunk));
    // A stream that was reset or cut has its code by now: there is nothing to wait for, and the next request may join this turn's.
    stream.on('end', () => {
      if (faultOf(stream, received, deadline) === undefined) resolve(answerOf(received));
    });
    stream.on('close', () => {
      const fault = faultOf(stream, received, deadline);
      if (fault !== undefined) reject(fault);
    });
    deadline.onEnd((error) => {
      reject(error);
      stream.close(NGHTTP2_CANCEL);
    });
  });
}

export interface FollowOptions {
  readonly clock: Clock;
  readonly deadline: Deadline;
  readonly watch: WatchRequest;
  readonly onLine: (line: string) => void;
}

/** Reads a stream line by line until it ends; see `Transport.watch`. */
export function followLines(stream: http2.ClientHttp2Stream, options: FollowOptions): Promise<ApiResponse> {
  const { clock, deadline, watch } = options;
  return new Promise<ApiResponse>((resolve, reject) => {
    const stop = (error: Error) => {
      alarm.cancel();
      reject(error);
      stream.removeAllListeners('data');
      stream.close(NGHTTP2_CANCEL);
    };
    const received = listen(stream, () => {
      alarm.heard();
      if (received.status === 200) watch.onOpen?.(received);
    });
    const lines = new LineSplitter(options.onLine);
    const alarm = new SilenceAlarm(clock, watch.silenceMs, () => stop(silent(deadline, watch.silenceMs)));
    stream.on('data', (chunk: Buffer) => {
      alarm.heard();
      if (received.status !== 200) received.chunks.push(chunk);
      else guarded(() => lines.push(chunk), stop);
    });
    stream.on('close', () => {
      alarm.cancel();
      const fault = faultOf(stream, received, deadline) ?? cutLine(lines.pendingBytes, deadline);
      if (fault === undefined) resolve(answerOf(received));
      else reject(fault);
    });
    deadline.onEnd(stop);
  });
}

function listen(stream: http2.ClientHttp2Stream, onHeaders?: () => void): Received {
  const received: Received = { status: 0, headers: {}, chunks: [], ended: false, error: undefined };
  stream.on('response', (headers) => {
    received.status = headers[':status'] ?? 0;
    received.headers = plainHeaders(headers);
    onHeaders?.();
  });
  stream.on('end', () => {
    received.ended = true;
  });
  stream.on('error', (error) => {
    received.error = error;
  });
  return received;
}

function plainHeaders(headers: http2.IncomingHttpHeaders): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === 'string') plain[name] = value;
  }
  return plain;
}

function answerOf(received: Received): ApiResponse {
  const { status, headers, chunks } = received;
  const only = chunks.length === 1 ? chunks[0] : undefined;
  return { status, headers, body: (only ?? Buffer.concat(chunks)).toString('utf8') };
}

function faultOf(stream: http2.ClientHttp2Stream, received: Received, deadline: Deadline): ConnectionError | undefined {
  if (received.ended && received.status !== 0 && received.error === undefined && stream.rstCode === NGHTTP2_NO_ERROR) return undefined;
  const { what } = deadline;
  if (received.error instanceof ConnectionError) {
    return new ConnectionError(`${what}: ${received.error.message}`, { code: 'CONNECTION_CUT', cause: received.error });
  }
  const refused = stream.rstCode === NGHTTP2_REFUSED_STREAM;
  const why = received.error === undefined ? `the stream ended with HTTP/2 code ${stream.rstCode}` : messageOf(received.error);
  return new ConnectionError(`${what}: ${refused ? 'the server refused the stream' : `the connection was cut: ${why}`}`, {
    code: refused ? 'CONNECTION_STREAM_REFUSED' : 'CONNECTION_CUT',
    data: { http2Code: stream.rstCode ?? null },
    cause: received.error,
  });
}

function cutLine(pendingBytes: number, deadline: Deadline): ConnectionError | undefined {
  if (pendingBytes === 0) return undefined;
  return new ConnectionError(`${deadline.what}: the stream ended inside a line`, { code: 'CONNECTION_CUT', data: { pendingBytes } });
}

function silent({ what }: Deadline, silenceMs: number): ConnectionError {
  return new ConnectionError(`${what}: no byte for ${silenceMs} ms`, { code: 'CONNECTION_SILENT', data: { silenceMs } });
}

function guarded(run: () => void, failed: (error: Error) => void): void {
  try {
    run();
  } catch (error) {
    failed(asError(error));
  }
}
