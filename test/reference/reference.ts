// The references of what authors import, as Markdown, generated from exports and their docstrings.
//   pages.ts            the pages: their modules and sections; checks-page.ts: the checks of an adapter
//   main.ts             writes them into docs/ (`npm run docs`)
//   reference.test.ts   fails if one of them is out of date
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  ClassDeclaration,
  GetAccessorDeclaration,
  InterfaceDeclaration,
  MethodDeclaration,
  MethodSignatureDeclaration,
  Node,
  PropertyDeclaration,
  PropertySignatureDeclaration,
} from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isClassDeclaration,
  isConstructorDeclaration,
  isFunctionDeclaration,
  isGetAccessorDeclaration,
  isIdentifier,
  isInterfaceDeclaration,
  isMethodDeclaration,
  isMethodSignatureDeclaration,
  isPropertyDeclaration,
  isPropertySignatureDeclaration,
  isTypeAliasDeclaration,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { API, type Checker, type Project, type Symbol, SymbolFlags } from 'typescript/unstable/sync';

const [CONFIG, SRC] = ['./tsconfig.json', '../../src/'].map((path) => fileURLToPath(new URL(path, import.meta.url))) as [string, string];

/** One page of the documentation. */
export interface ReferencePage {
  /** The modules in src/ whose exports it lists. */
  readonly modules: readonly string[];
  readonly introduction: string;
  /** The sections, in the order of the page. Every export belongs to exactly one. */
  readonly sections: Readonly<Record<string, readonly string[]>>;
  /** Exports of a library, with a line about each. */
  readonly foreign?: Readonly<Record<string, string>>;
}

/** Where a page is kept. */
export const fileOf = (file: string): URL => new URL(`../../docs/${file}`, import.meta.url);

/** Returns the text of a page. Throws if an export of its modules is in no section, or a section names something that is not exported. */
export function referenceText(page: ReferencePage): string {
  const api = new API();
  try {
    const project = api.updateSnapshot({ openProjects: [CONFIG] }).getProject(CONFIG);
    if (project === undefined) throw new Error(`${CONFIG} cannot be opened as a project`);
    return new Reference(project, page).text();
  } finally {
    api.close();
  }
}

class Reference {
  readonly #project: Project;
  readonly #page: ReferencePage;
  readonly #checker: Checker;
  readonly #exports: ReadonlyMap<string, Symbol>;
  /** Types that exported declarations mention without being exported, by name. */
  readonly #mentioned = new Map<string, Symbol>();

  constructor(project: Project, page: ReferencePage) {
    this.#project = project;
    this.#page = page;
    this.#checker = project.checker;
    this.#exports = new Map(page.modules.flatMap((module) => this.#exportsOf(join(SRC, module))));
  }

  #exportsOf(file: string): readonly (readonly [string, Symbol])[] {
    const source = this.#project.program.getSourceFile(file);
    const module = source && this.#checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} is not a module`);
    return this.#checker.getExportsOfModule(module).map((symbol) => [symbol.name, this.#target(symbol)] as const);
  }

  text(): string {
    const { sections, introduction, foreign = {} } = this.#page;
    const listed = [...Object.values(sections).flat(), ...Object.keys(foreign)];
    const missing = [...this.#exports.keys()].filter((name) => !listed.includes(name));
    if (missing.length > 0) throw new Error(`add ${missing.join(', ')} to a section in ${import.meta.dirname}/pages.ts`);
    const texts = Object.entries(sections).map(([title, names]) => [`## ${title}`, ...names.map((name) => this.#entry(name))].join('\n\n'));
    const others = Object.entries(foreign).map(([name, about]) => `### ${name}\n\n${about}`);
    const library = others.length === 0 ? [] : ['## From libraries', ...others];
    return `${[introduction.trimEnd(), ...texts, ...library, this.#mentions()].join('\n\n')}\n`;
  }

  #entry(name: string): string {
    const symbol = this.#exports.get(name);
    const { modules } = this.#page;
    if (symbol === undefined) throw new Error(`${modules.join(' and ')} do not export ${name}, which a section of pages.ts lists`);
    const node = this.#declarationOf(symbol);
    const documentation = this.#documentationOf(symbol);
    if (documentation === '') throw new Error(`${name} has no docstring; every export of ${modules.join(' and ')} needs one`);
    const parts = [`### ${name}`, documentation, code(this.#signatureOf(name, node))];
    if (isInterfaceDeclaration(node) || isClassDeclaration(node)) parts.push(...this.#membersOf(node));
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
    if (isVariableDeclaration(node) && made !== undefined && !isArrowFunction(made)) {
      this.#mention(node);
      return `const ${oneLine(node.getText())}`;
    }
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

  /** The table of the members; of a class, of those that are public. None if there are no members. */
  #membersOf(node: InterfaceDeclaration | ClassDeclaration): readonly string[] {
    const members: readonly Node[] = isClassDeclaration(node) ? [...node.members].filter(isPublic) : [...node.members];
    const rows = members.map((member) => this.#rowOf(member));
    return rows.length === 0 ? [] : [['| member | type | description |', '|---|---|---|', ...rows].join('\n')];
  }

  #rowOf(member: Node): string {
    const name = isMember(member) ? member.name : undefined;
    const symbol = name && this.#checker.getSymbolAtLocation(name);
    if (symbol === undefined) throw new Error(`a member has no name: ${member.getText()}`);
    if (isPropertySignatureDeclaration(member) || isMethodSignatureDeclaration(member)) this.#mention(member);
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
    if (!node.getSourceFile().fileName.startsWith(SRC)) return;
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

type Member = PropertySignatureDeclaration | MethodSignatureDeclaration | PropertyDeclaration | MethodDeclaration | GetAccessorDeclaration;

const isMember = (node: Node): node is Member =>
  isPropertySignatureDeclaration(node) ||
  isMethodSignatureDeclaration(node) ||
  isPropertyDeclaration(node) ||
  isMethodDeclaration(node) ||
  isGetAccessorDeclaration(node);

/** True for a method, a getter or a field that other code can use, and whose type is written. */
const isPublic = (node: Node): boolean => isMember(node) && node.type !== undefined && !node.name.getText().startsWith('#');

/** The type of a property; of a method, its parameters and result as a function type. */
function typeText(node: Node): string {
  if (!isMember(node)) return oneLine(node.getText());
  const type = oneLine(node.type?.getText() ?? 'unknown');
  return isMethodSignatureDeclaration(node) || isMethodDeclaration(node) ? `(${textOf(node.parameters)}) => ${type}` : type;
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
