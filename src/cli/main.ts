#!/usr/bin/env node
// A namespace, not names: an old Node has fewer, and must get as far as being told so.
import * as nodeModule from 'node:module';
import { nodeComplaint } from './node-version.ts';

const complaint = nodeComplaint(process.versions.node);
if (complaint === undefined) {
  // NO_COLOR wins; Node would warn about both.
  if (process.env['NO_COLOR']) delete process.env['FORCE_COLOR'];
  nodeModule.enableCompileCache();
  const { runCommandLine } = await import('./command-line.ts');
  process.exitCode = await runCommandLine(process.argv);
} else {
  process.stderr.write(`${complaint}\n`);
  process.exitCode = 3;
}
