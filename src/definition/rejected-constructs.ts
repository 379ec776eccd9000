interface Words {
  readonly reason: string;
  readonly instead: string;
}

const pureActions = 'an edge changes only what is stored with it';

/** Parts of an XState state that a lifecycle cannot have, with what to write instead. */
export const rejectedStateKeys: Readonly<Record<string, Words>> = {
  invoke: {
    reason: 'an invoked actor dies with the process and nobody knows what it did',
    instead: 'declare an ensure (what must exist), or a probe (what to ask outside) and a fact over its answer',
  },
  spawn: { reason: 'a spawned actor dies with the process', instead: 'declare a dependent kind and an ensure' },
  activities: { reason: 'activities die with the process', instead: 'declare an ensure and name it in entry' },
  always: {
    reason: 'a transient edge is taken without being written, so a crash between two of them cannot be told',
    instead: 'name a fact in on; it is judged in every pass',
  },
  exit: {
    reason: 'an exit action is lost when the process stops between leaving and entering',
    instead: 'let the next state name in entry what must exist or go',
  },
  onDone: { reason: 'states do not finish, facts become true', instead: 'name a fact in on of the parent' },
  onError: { reason: 'nothing is invoked that could fail', instead: 'use the built-in fact refused' },
  history: { reason: 'a history state depends on what is not stored', instead: 'name the state itself as the target' },
  parallel: {
    reason: 'an object is in one phase at a time',
    instead: 'write a second lifecycle for the second concern',
  },
  context: { reason: 'context is not stored', instead: 'declare memory in the vocabulary' },
  output: { reason: 'a lifecycle has no output', instead: 'declare report in the vocabulary' },
  data: { reason: 'a lifecycle has no output', instead: 'declare report in the vocabulary' },
  schemas: { reason: 'types come from the vocabulary', instead: 'leave it out' },
  types: { reason: 'types come from the vocabulary', instead: 'leave it out' },
  id: { reason: 'states are named by their path, the machine by its kind', instead: 'leave it out and write #<Kind>.<Path> in targets' },
  key: { reason: 'states are named by their path', instead: 'leave it out' },
  version: { reason: 'the version stands in the vocabulary', instead: 'declare machineVersion in the vocabulary' },
  tags: { reason: 'tags are not stored', instead: 'write meta.kstatus' },
  delimiter: { reason: 'paths are written with dots', instead: 'leave it out' },
  route: { reason: 'routes are not in the diagram', instead: 'name a command in on' },
};

/** Values of `type` that a lifecycle cannot have. */
export const rejectedStateTypes: Readonly<Record<string, Words>> = {
  parallel: rejectedStateKeys['parallel'] ?? { reason: '', instead: '' },
  history: rejectedStateKeys['history'] ?? { reason: '', instead: '' },
  final: {
    reason: 'an object stays until it is deleted, and a final state could not be left even then',
    instead: 'a leaf with meta.kstatus Current, or Terminating for deletion',
  },
};

/** XState's action creators, by the end of their type (`xstate.raise`). */
export const rejectedActions: Readonly<Record<string, Words>> = {
  raise: { reason: 'a raised event is lost in a crash', instead: 'declare a fact and name it in on' },
  sendTo: { reason: 'there is no other actor to send to', instead: 'write what the other one watches with an ensure' },
  sendParent: { reason: 'there is no parent actor', instead: 'name a target with #<Kind>.<Path>' },
  forwardTo: { reason: 'there is no other actor to send to', instead: 'write what the other one watches with an ensure' },
  emit: { reason: 'an emitted event is lost in a crash', instead: 'declare an announce and name it in actions' },
  enqueueActions: { reason: `${pureActions}, and that must be readable from the config`, instead: 'list the names in actions' },
  log: { reason: pureActions, instead: 'declare an announce and name it in actions' },
  assign: { reason: pureActions, instead: 'declare a remember and name it in actions' },
  spawnChild: { reason: 'a spawned actor dies with the process', instead: 'declare a dependent kind and an ensure' },
  stopChild: { reason: 'there are no child actors', instead: 'declare a delete and name it in entry' },
  cancel: { reason: 'there are no pending events', instead: 'leave the state; its timeouts end with it' },
};
