import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { digest } from '#adapters/session-ids.ts';
import { accountPersonId } from '#domain/identity/account.ts';
import { grantWords } from '#domain/identity/grant-change.ts';
import { isOpenIdPerson } from '#domain/identity/subject.ts';
import type { Person } from '#domain/ports/people.ts';
import { type TextKind, textKinds } from '#domain/ports/stored-texts.ts';
import { normalizeEmail } from '#domain/ports/users.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { print } from '#infra/cli/print.ts';
import type { LocalStores, Stores } from '#infra/local/wiring/stores.ts';
import { endSessionsNow } from '../end-sessions.ts';

const pc = coloursFor(process.stdout);

/** What an operator asks for. */
export interface ErasureOptions {
	readonly schema: string;
	/** The e-mail of a person, or the id of one of an OpenID provider: `person:…`. */
	readonly person: string;
	/** The pseudonym; undefined: a random one. An interrupted command is repeated with the same one. */
	readonly as?: string | undefined;
	/** False: only counts. */
	readonly erase: boolean;
}

/** The stores that hold what names a person. Without accounts where they are not on this machine. */
export type ErasureStores = Pick<
	Stores,
	'texts' | 'people' | 'users' | 'grants' | 'machines' | 'openIdSessions' | 'openIdSessionTokens'
> &
	Partial<Pick<LocalStores, 'accounts'>>;

/** What the kinds of rows are called. */
const kindNames = {
	definitions: 'definition',
	alarmStates: 'state of an alarm',
	alarmEvents: 'entry in the journal of alarms',
	changes: 'entry in the journal of changes',
	reportDays: 'stored day of a report',
	machines: 'machine',
} as const satisfies Record<TextKind, string>;

/** The fields that name who did something. In definitions the person is replaced in these only: people write the others, so people change them. */
const actorFields: readonly string[] = ['id', 'author', 'by', 'user', 'ackedBy', 'shelvedBy', 'createdBy'];

/** A person, and what stands in place of each of the ids and names. */
export interface Replacement {
	/** By id in lower case. */
	readonly pseudonyms: ReadonlyMap<string, string>;
	/** By the names under which providers show the person, which nobody else has. */
	readonly names: ReadonlyMap<string, string>;
}

/**
 * Replaces a person by a pseudonym in all rows of a schema, and deletes the rows of the person. Prints how many of each kind.
 * @returns the exit code: 1 when something still names the person, also where only `erase` would change it
 * @throws DomainError `store_failed`, `outcome_unknown`: run again with the same pseudonym
 */
export async function erasePerson(
	stores: ErasureStores,
	{ schema, person, as = `person-${randomBytes(4).toString('hex')}`, erase }: ErasureOptions,
): Promise<0 | 1> {
	const id = normalizeEmail(person);
	const known = await stores.people.list(schema);
	// An account has an id of its own, and so has whom a provider shows with that e-mail.
	const isShown = patternOf([id]);
	const shown = known.filter(({ openId }) => openId !== null && isShown.test(openId.name)).map(({ email }) => email);
	const ids = isOpenIdPerson(id) ? [id] : [...new Set([id, accountPersonId(digest, id), ...shown])];
	// Each id gets a pseudonym, because versions are counted for each.
	const pseudonyms = new Map(ids.map((each, index) => [each, index === 0 ? as : `${as}-${index + 1}`]));
	const replacement = { pseudonyms, names: await namesOf(stores.texts, schema, known, pseudonyms) };
	if (erase) print(`${person} becomes ${as} in schema ${schema}; if this is interrupted, repeat it with --as ${as}.`);
	const found = new Map<string, number>();
	const left: string[] = [];
	for (const kind of textKinds) {
		const { changed, mentioned } = await rewriteKind(stores.texts, schema, kind, { replacement, erase });
		found.set(kindNames[kind], changed.size);
		// Read once more: somebody may have changed a row meanwhile, and a row of a newer release may not be readable.
		const after = erase ? await rewriteKind(stores.texts, schema, kind, { replacement, erase: false }) : null;
		left.push(...[...(after?.changed ?? []), ...(after?.mentioned ?? mentioned)].map((key) => `${kindNames[kind]} ${key}`));
	}
	for (const [name, count] of await ownRows(stores, schema, { ids, erase })) found.set(name, count);
	const isNamedBy = patternOf(ids);
	const grants = (await stores.grants.all()).filter((grant) => grant.schema === schema);
	left.push(
		...grants
			.map(grantWords)
			.filter((words) => isNamedBy.test(words))
			.map((words) => `grant ${words}`),
	);
	for (const [name, count] of found) if (count > 0) print(`${erase ? pc.green('erased') : pc.yellow('found')} ${name}: ${count}`);
	for (const name of new Set(left)) print(pc.red(`left ${JSON.stringify(name)}: change or remove it, then run this again`));
	for (const text of notReached) print(pc.dim(text));
	const total = [...found.values()].reduce((sum, count) => sum + count, 0);
	if (!erase) print(`${pluralize(total, 'row')} found; --erase erases ${total === 1 ? 'it' : 'them'}.`);
	return left.length > 0 || (!erase && total > 0) ? 1 : 0;
}

/** What the command does not change. */
const notReached = [
	'Not reached: backups and exports, logs, messages that were sent, names in comments and other free texts, and samples.',
	'They end by themselves: answers kept for retries and failed sign-ins, within a day; networks of sign-ins, 30 days; tokens, an hour.',
	'Not another schema: run it for each. Whoever still has an account at a provider, and a grant, is stored again at the next sign-in.',
] as const;

/**
 * Returns how a text of a row is rewritten. The person is replaced where a row names who did something, and, outside of definitions, wherever
 * a text holds an id: by no more characters than it had, so that no text gets longer than a row allows. The network address of a sign-in of the person is left out.
 */
export function replacePerson({ pseudonyms, names }: Replacement, kind: TextKind): (text: string) => string {
	const ids = [...pseudonyms.keys()];
	const pattern = new RegExp(patternOf(ids), 'giu');
	const isPseudonym = (value: string): boolean => [...pseudonyms.values()].includes(value);
	const textOf = (text: string, field: string): string => {
		const whole = pseudonyms.get(text.toLowerCase());
		if (actorFields.includes(field)) {
			const actor = names.get(text) ?? whole;
			if (actor !== undefined) return actor;
		}
		if (kind === 'definitions') return text;
		return whole ?? text.replace(pattern, (id) => (pseudonyms.get(id.toLowerCase()) ?? '').slice(0, id.length));
	};
	/** Gets each value after those in it, so ids are pseudonyms already. */
	const revive = (field: string, value: unknown): unknown => {
		if (typeof value === 'string') return textOf(value, field);
		if (v.is(personSchema, value) && isPseudonym(value.id)) return { ...value, name: value.id };
		if (!v.is(entrySchema, value) || !isPseudonym(value.itemId)) return value;
		const { source: _, ...entry } = value;
		return 'name' in entry ? { ...entry, name: entry.itemId } : entry;
	};
	const isSearched = holdsOneOf([...ids, ...names.keys()]);
	return (text) => {
		// Most rows name somebody else: those are not parsed.
		if (!isSearched(text)) return text;
		const json = parsedJson(text, revive);
		return json === undefined ? text : JSON.stringify(json);
	};
}

/** Returns a function that tells whether a text of JSON holds one of some texts, in upper or lower case. */
function holdsOneOf(searched: readonly string[]): (text: string) => boolean {
	const escapedTexts = searched.map((each) => JSON.stringify(each).slice(1, -1).toLowerCase());
	return (text) => {
		const lower = text.toLowerCase();
		return escapedTexts.some((each) => lower.includes(each));
	};
}

const personSchema = v.looseObject({ kind: v.literal('person'), id: v.string() });
const entrySchema = v.looseObject({ itemId: v.string() });

/** Returns the pattern of ids in a text. An id within a longer address is another one: `ana@plant.example` in `diana@plant.example`. */
function patternOf(ids: readonly string[]): RegExp {
	return new RegExp(`(?<![\\w.+-])(?:${ids.map(escaped).join('|')})(?![\\w-]|\\.\\w)`, 'iu');
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Parses JSON with a reviver. Undefined: it is not JSON. */
function parsedJson(text: string, revive: (field: string, value: unknown) => unknown): unknown {
	try {
		return JSON.parse(text, revive);
	} catch {
		return undefined;
	}
}

/** A person in the journal of changes: who acted, or who was changed. */
const namedSchema = v.union([
	v.object({ kind: v.literal('person'), id: v.string(), name: v.string() }),
	v.pipe(
		v.object({ itemId: v.string(), name: v.string() }),
		v.transform(({ itemId, name }) => ({ id: itemId, name })),
	),
]);
type Named = Pick<v.InferOutput<typeof namedSchema>, 'id' | 'name'>;

/** Returns who is named in the journal of changes, each once. */
async function namedInJournal(texts: Stores['texts'], schema: string): Promise<readonly Named[]> {
	const named = new Map<string, Named>();
	const note = (_: string, value: unknown): unknown => {
		const { success, output } = v.safeParse(namedSchema, value);
		if (success) named.set(JSON.stringify([output.id, output.name]), output);
		return value;
	};
	await texts.rewrite(schema, 'changes', (text) => {
		parsedJson(text, note);
		return text;
	});
	return [...named.values()];
}

/**
 * Returns the pseudonyms by the names under which providers show the person, or showed them by the journal of changes, without those under which
 * somebody else is or was shown, too.
 */
async function namesOf(
	texts: Stores['texts'],
	schema: string,
	known: readonly Person[],
	pseudonyms: Replacement['pseudonyms'],
): Promise<Replacement['names']> {
	const shown = known.flatMap(({ email, openId }) => (openId === null ? [] : [{ id: email, name: openId.name }]));
	const named = [...(await namedInJournal(texts, schema)), ...shown];
	const names = new Map<string, string>();
	for (const { id, name } of named) {
		const pseudonym = pseudonyms.get(normalizeEmail(id));
		if (pseudonym !== undefined) names.set(name, pseudonym);
	}
	for (const { id, name } of named) if (isOpenIdPerson(id) && !pseudonyms.has(id)) names.delete(name);
	return names;
}

/** Rewrites the rows of a kind, or only looks at them. @returns the keys of those that change, and of those that then still hold an id */
async function rewriteKind(
	texts: Stores['texts'],
	schema: string,
	kind: TextKind,
	{ replacement, erase }: { readonly replacement: Replacement; readonly erase: boolean },
): Promise<{ readonly changed: ReadonlySet<string>; readonly mentioned: ReadonlySet<string> }> {
	const [changed, mentioned] = [new Set<string>(), new Set<string>()];
	const replace = replacePerson(replacement, kind);
	const pattern = patternOf([...replacement.pseudonyms.keys()]);
	await texts.rewrite(schema, kind, (text, key) => {
		const next = replace(text);
		if (next !== text) changed.add(key);
		const note = (_: string, value: unknown): unknown => {
			if (typeof value === 'string' && pattern.test(value)) mentioned.add(key);
			return value;
		};
		if (pattern.test(next)) parsedJson(next, note) ?? mentioned.add(key);
		return erase ? next : text;
	});
	return { changed, mentioned };
}

/** Counts the rows of the person, and deletes them when asked. */
async function ownRows(
	{ people, users, accounts, ...sessions }: ErasureStores,
	schema: string,
	{ ids, erase }: { readonly ids: readonly string[]; readonly erase: boolean },
): Promise<readonly (readonly [string, number])[]> {
	const rows = [];
	const isTheirs = ({ person }: { readonly person: string }): boolean => ids.includes(person);
	const open = (await sessions.openIdSessions.list()).filter(isTheirs).length;
	if (erase) await endSessionsNow(sessions, isTheirs);
	rows.push(['session', open] as const);
	const ofSchema = {
		find: (id: string) => people.find(schema, id),
		remove: (id: string) => people.remove(schema, id),
	};
	const named = [
		...(accounts === undefined ? [] : [['account', accounts] as const]),
		['registered user', users] as const,
		['person with a role', ofSchema] as const,
	];
	for (const [name, store] of named)
		for (const id of ids) {
			// A user that cannot be read is not found, and is deleted with the others.
			const isThere = erase ? await store.remove(id) : (await store.find(id)) !== null;
			rows.push([name, isThere ? 1 : 0] as const);
		}
	return [...Map.groupBy(rows, ([name]) => name)].map(([name, same]) => [name, same.reduce((sum, [, n]) => sum + n, 0)]);
}
