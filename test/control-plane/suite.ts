import { afterAll, beforeAll, beforeEach, describe, onTestFailed, onTestFinished } from 'vitest';

import { findBinaries } from './binaries.ts';
import type { Certificate } from './certificate-authority.ts';
import { ControlPlane } from './control-plane.ts';
import type { ControlPlaneOptions } from './control-plane-options.ts';
import { FaultProxy } from './fault-proxy.ts';
import { type OperatorOptions, type OperatorProcess, startOperator } from './operator-process.ts';

/** What the tests of one suite share, and what ends with each test. */
export interface ControlPlaneContext {
  /** The suite's control plane; only inside tests and hooks. */
  readonly controlPlane: ControlPlane;
  /** A fault proxy in front of it that stops with the test; only inside tests. */
  startProxy(certificate?: Certificate): Promise<FaultProxy>;
  /** An operator that ends with the test, and whose log is shown when the test fails; only inside tests. */
  startOperator(options: OperatorOptions): OperatorProcess;
}

const startTimeoutMs = 120_000;
const shownLogLines = 60;

/**
 * A suite of tests against one real control plane, started before the first test and stopped after the last. Where there are no programs to
 * run, the suite is skipped and one line on stderr says so. After a failure the logs stay, and a line says where.
 */
export function describeControlPlane(name: string, options: ControlPlaneOptions, define: (context: ControlPlaneContext) => void): void {
  const suite = findBinaries(options) ? describe : describe.skip;
  suite(name, () => {
    let started: ControlPlane | undefined;
    let hasFailed = false;
    beforeAll(async () => {
      started = await ControlPlane.start(options);
    }, startTimeoutMs);
    beforeEach(() => {
      onTestFailed(() => {
        hasFailed = true;
      });
    });
    afterAll(async () => {
      const logs = await started?.stop({ keepLogs: hasFailed });
      if (logs) process.stderr.write(`control plane: logs of "${name}" are kept in ${logs}\n`);
    }, startTimeoutMs);
    define({
      get controlPlane(): ControlPlane {
        if (!started) throw new Error(`the control plane of "${name}" runs only while its tests do`);
        return started;
      },
      async startProxy(certificate) {
        const proxy = await FaultProxy.start(this.controlPlane, certificate);
        onTestFinished(() => proxy.stop());
        return proxy;
      },
      startOperator: operatorOfTest,
    });
  });
}

function operatorOfTest(options: OperatorOptions): OperatorProcess {
  const operator = startOperator(options);
  onTestFailed(() => {
    process.stderr.write(`the operator's log ends with:\n${operator.log.trimEnd().split('\n').slice(-shownLogLines).join('\n')}\n`);
  });
  onTestFinished(() => operator.dispose());
  return operator;
}
