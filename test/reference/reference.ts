// The strategy API reference as Markdown, generated from the exports of src/index.ts and their docstrings.
//   main.ts             writes docs/strategy-api.md (`npm run docs`)
//   reference.test.ts   fails if that file is out of date
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InterfaceDeclaration, Node, TypeElement } from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isClassDeclaration,
  isConstructorDeclaration,
  isFunctionDeclaration,
  isIdentifier,
  isInterfaceDeclaration,
  isMethodSignatureDeclaration,
  isPropertySignatureDeclaration,
  isTypeAliasDeclaration,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { API, type Checker, type Project, type Symbol, SymbolFlags } from 'typescript/unstable/sync';

/** Where the reference is kept. */
export const REFERENCE = new URL('../../docs/strategy-api.md', import.meta.url);
const [CONFIG, INDEX] = ['./tsconfig.json', '../../src/index.ts'].map((path) => fileURLToPath(new URL(path, import.meta.url))) as [
  string,
  string,
];

/** The sections, in the order of the page. Every export belongs to exactly one. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  'Defining a strategy': ['defineStrategy', 'Strategy', 'History', 'Decide', 'Tools', 'Memory', 'Log', 'LogFields', 'millisOf'],
  'Inputs of your own': [
    'poll',
    'PollRequest',
    'file',
    'FileRequest',
    'stream',
    'Subscribable',
    'webhook',
    'Freshness',
    'InputView',
    'Input',
    'PollInput',
    'FileInput',
    'StreamInput',
    'WebhookInput',
  ],
  'What a strategy sees': [
    'View',
    'AlignedCandles',
    'AccountView',
    'MarketView',
    'OrderView',
    'FillView',
    'TradeView',
    'ExitedView',
    'CandleView',
    'Resolution',
  ],
  'What a strategy returns': [
    'QuoteRequest',
    'TargetRequest',
    'PriceLevel',
    'Exits',
    'ExitAt',
    'StopRequest',
    'BracketRequest',
    'Intent',
    'Quote',
    'Target',
    'Exit',
  ],
  Indicators: [
    'ewma',
    'realisedVolatility',
    'sma',
    'ema',
    'macd',
    'rsi',
    'bollinger',
    'atr',
    'adx',
    'donchian',
    'keltner',
    'stochastic',
    'supertrend',
    'vwap',
    'Indicator',
    'TimedIndicator',
    'Candle',
    'VolumeCandle',
    'Bands',
    'Macd',
    'DirectionalMovement',
    'Stochastic',
    'Trend',
  ],
  'Other types': ['Millis', 'Rng', 'UserError'],
};

const INTRODUCTION = `# Strategy API

All that a strategy imports from \`tickwright\`. \`strategies.md\` explains how to write and test a strategy; this page lists every type and function.
It is generated from the docstrings in \`src/index.ts\` and the files behind it by \`npm run docs\`.
`;

/** Returns the text of the page. Throws if an export of src/index.ts is in no section, or a section names something that is not exported. */
export function strategyApi(): string {
  const api = new API();
  try {
    const project = api.updateSnapshot({ openProjects: [CONFIG] }).getProject(CONFIG);
    if (project === undefined) throw new Error(`${CONFIG} cannot be opened as a project`);
    return new Reference(project).page();
  } finally {
    api.close();
  }
}

class Reference {
  readonly #project: Project;
  readonly #checker: Checker;
  readonly #exports: ReadonlyMap<string, Symbol>;
  /** Types that exported declarations mention without being exported, by name. */
  readonly #mentioned = new Map<string, Symbol>();

  constructor(project: Project) {
    this.#project = project;
    this.#checker = project.checker;
    const index = project.program.getSourceFile(INDEX);
    const module = index && this.#checker.getSymbolAtLocation(index);
    if (module === undefined) throw new Error(`${INDEX} is not a module`);
    this.#exports = new Map(this.#checker.getExportsOfModule(module).map((symbol) => [symbol.name, this.#target(symbol)]));
  }

  page(): string {
    const listed = Object.values(SECTIONS).flat();
    const missing = [...this.#exports.keys()].filter((name) => !listed.includes(name));
    if (missing.length > 0) throw new Error(`add ${missing.join(', ')} to a section of ${import.meta.filename}`);
    const sections = Object.entries(SECTIONS).map(([title, names]) =>
      [`## ${title}`, ...names.map((name) => this.#entry(name))].join('\n\n'),
    );
    return `${[INTRODUCTION.trimEnd(), ...sections, this.#mentions()].join('\n\n')}\n`;
  }

  #entry(name: string): string {
    const symbol = this.#exports.get(name);
    if (symbol === undefined) throw new Error(`src/index.ts does not export ${name}, which a section of ${import.meta.filename} lists`);
    const node = this.#declarationOf(symbol);
    const documentation = this.#documentationOf(symbol);
    if (documentation === '') throw new Error(`${name} has no docstring; every export of src/index.ts needs one`);
    const parts = [`### ${name}`, documentation, code(this.#signatureOf(name, node))];
    if (isInterfaceDeclaration(node)) parts.push(this.#membersOf(node));
    return parts.join('\n\n');
  }

  /** The other types that the entries mention, one line each. */
  #mentions(): string {
    const lines = [...this.#mentioned]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, symbol]) => oneLine(this.#declarationOf(symbol).getText()).replace(/^export /, ''));
    return ['## Types used above', 'The entries above mention these types. They are not exported.', code(lines.join('\n'))].join('\n\n');
  }

  #signatureOf(name: string, node: Node): string {
    if (isInterfaceDeclaration(node)) return oneLine(node.getText().split('{')[0] ?? name).replace(/^export /, '');
    if (isTypeAliasDeclaration(node)) {
      this.#mention(node);
      return oneLine(node.getText()).replace(/^export /, '');
    }
    if (isClassDeclaration(node)) return `new ${name}(${this.#parametersOf(node.members.find(isConstructorDeclaration))})`;
    const made = isVariableDeclaration(node) ? node.initializer : node;
    if (made === undefined || !(isArrowFunction(made) || isFunctionDeclaration(made)))
      throw new Error(`${name} is of no kind that is known here`);
    for (const part of [...(made.typeParameters ?? []), ...(made.type ? [made.type] : [])]) this.#mention(part);
    const types = made.typeParameters === undefined ? '' : `<${textOf(made.typeParameters)}>`;
    return `${name}${types}(${this.#parametersOf(made)}): ${oneLine(made.type?.getText() ?? 'void')}`;
  }

  #parametersOf(node: { readonly parameters: Iterable<Node> } | undefined): string {
    const parameters = [...(node?.parameters ?? [])];
    for (const parameter of parameters) this.#mention(parameter);
    return textOf(parameters);
  }

  #membersOf(node: InterfaceDeclaration): string {
    const rows = node.members.map((member) => this.#rowOf(member));
    return ['| member | type | description |', '|---|---|---|', ...rows].join('\n');
  }

  #rowOf(member: TypeElement): string {
    const named = isPropertySignatureDeclaration(member) || isMethodSignatureDeclaration(member);
    const symbol = named ? this.#checker.getSymbolAtLocation(member.name) : undefined;
    if (symbol === undefined) throw new Error(`a member has no name: ${member.getText()}`);
    this.#mention(member);
    const optional = 'postfixToken' in member && member.postfixToken !== undefined ? '?' : '';
    return `| \`${symbol.name}${optional}\` | \`${escaped(typeText(member))}\` | ${escaped(this.#documentationOf(symbol))} |`;
  }

  /** Notes the types of the project that a declaration mentions and that are not exported. */
  #mention(node: Node): void {
    node.forEachChild((child) => {
      if (isIdentifier(child)) this.#mentionName(child);
      this.#mention(child);
    });
  }

  #mentionName(name: Node): void {
    const symbol = this.#checker.getSymbolAtLocation(name);
    const target = symbol && this.#target(symbol);
    if (target === undefined || !(target.flags & (SymbolFlags.Interface | SymbolFlags.TypeAlias))) return;
    if (this.#exports.has(target.name) || this.#mentioned.has(target.name)) return;
    const node = this.#declarationOf(target);
    if (!node.getSourceFile().fileName.startsWith(dirname(INDEX))) return;
    this.#mentioned.set(target.name, target);
    this.#mention(node);
  }

  #target(symbol: Symbol): Symbol {
    return symbol.flags & SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #declarationOf(symbol: Symbol): Node {
    const node = symbol.declarations[0]?.resolve(this.#project);
    if (node === undefined) throw new Error(`${symbol.name} has no declaration`);
    return node;
  }

  #documentationOf(symbol: Symbol): string {
    return oneParagraph(this.#checker.getDocumentationCommentOfSymbol(symbol));
  }
}

/** The type of a property; of a method, its parameters and result as a function type. */
function typeText(member: TypeElement): string {
  if (isPropertySignatureDeclaration(member)) return oneLine(member.type?.getText() ?? 'unknown');
  if (!isMethodSignatureDeclaration(member)) return oneLine(member.getText());
  return `(${textOf(member.parameters)}) => ${oneLine(member.type?.getText() ?? 'void')}`;
}

const textOf = (nodes: Iterable<Node>): string => [...nodes].map((node) => oneLine(node.getText())).join(', ');
const oneLine = (text: string): string =>
  text
    .replace(/\/\*\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .trim();
/** Joins wrapped lines; lines of a list keep their own. */
const oneParagraph = (text: string): string => text.replace(/\n(?!\s*[-*\n])/g, ' ').trim();
const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', '<br>');
const code = (text: string): string => `\`\`\`ts\n${text}\n\`\`\``;
