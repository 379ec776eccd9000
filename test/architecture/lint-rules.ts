/**
 * The rules of the style guide that oxlint has no rule for. oxlint loads this file itself (`jsPlugins` of .oxlintrc.json), so its
 * plugin must be the default export: the one place of the repository where there is one.
 */

/** The little of an ESTree node that the rules below read. */
interface Node {
  readonly type: string;
  readonly range: readonly [number, number];
  readonly loc: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
  readonly parent?: Node;
  readonly name?: string;
  readonly typeName?: Node;
  readonly typeAnnotation?: Node;
  readonly callee?: Node;
  readonly object?: Node;
  readonly property?: Node;
  readonly argument?: Node;
  readonly arguments?: readonly Node[];
}

interface Context {
  readonly sourceCode: { getAllComments(): readonly Node[] };
  report(finding: { node: Node; message: string }): void;
}

type Visitor = Readonly<Record<string, (node: Node) => void>>;

/** Luxon's factories that read the clock when called without arguments. */
const clockFactories = new Set(['local', 'utc']);
const builtInErrors = new Set([
  'Error',
  'TypeError',
  'RangeError',
  'SyntaxError',
  'EvalError',
  'ReferenceError',
  'URIError',
  'AggregateError',
]);

const rules = {
  /** `new Date()`, `Date()`, `DateTime.local()` and `DateTime.utc()` read the process's clock. */
  'no-ambient-now': (context: Context): Visitor => ({
    NewExpression(node) {
      if (node.callee?.name === 'Date' && node.arguments?.length === 0) context.report({ node, message: readsClock('new Date()') });
    },
    CallExpression(node) {
      if (node.callee?.name === 'Date') context.report({ node, message: readsClock('Date()') });
      const method = node.callee?.property?.name;
      if (node.callee?.object?.name !== 'DateTime' || node.arguments?.length !== 0 || method === undefined) return;
      if (clockFactories.has(method)) context.report({ node, message: readsClock(`DateTime.${method}()`) });
    },
  }),

  /** `export *` hides what a door lets through. */
  'no-export-all': (context: Context): Visitor => ({
    ExportAllDeclaration(node) {
      context.report({ node, message: 'Name each export: `export *` hides what a door lets through.' });
    },
  }),

  /** A cast overrules the compiler; who writes one says why, on its line or the line above. */
  'cast-with-reason': (context: Context): Visitor => {
    const commented = commentedLines(context);
    const check = (node: Node) => {
      if (node.typeAnnotation?.type === 'TSTypeReference' && node.typeAnnotation.typeName?.name === 'const') return;
      if (hasReason(node, commented)) return;
      context.report({ node, message: 'Parse instead of casting, or give the reason in a comment on this line or the one above.' });
    };
    return { TSAsExpression: check, TSTypeAssertion: check };
  },

  /** Errors carry a code and what to do about them. */
  'throw-phasekeeper-error': (context: Context): Visitor => ({
    ThrowStatement(node) {
      const thrown = node.argument?.type === 'NewExpression' ? node.argument.callee?.name : undefined;
      if (thrown === undefined || !builtInErrors.has(thrown)) return;
      context.report({ node, message: `Throw a PhasekeeperError with code and disposition, not ${thrown}.` });
    },
  }),
};

function readsClock(expression: string): string {
  return `${expression} reads the clock: take a Clock as a parameter.`;
}

/** Lines on which a comment ends. */
function commentedLines(context: Context): ReadonlySet<number> {
  return new Set(context.sourceCode.getAllComments().map((comment) => comment.loc.end.line));
}

/** Whether a comment stands on a line of the node or its statement, or on the line above either. */
function hasReason(node: Node, commented: ReadonlySet<number>): boolean {
  for (let at: Node | undefined = node; at !== undefined; at = at.parent) {
    const { start, end } = at.loc;
    if (commented.has(start.line - 1) || commented.has(start.line) || commented.has(end.line)) return true;
    if (/Statement$|Declaration$|^PropertyDefinition$|^Property$/.test(at.type)) return false;
  }
  return false;
}

export default {
  meta: { name: 'phasekeeper' },
  rules: Object.fromEntries(Object.entries(rules).map(([name, create]) => [name, { create }])),
};
