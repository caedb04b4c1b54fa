import type { ApiOperation } from '../operation.ts';

/** An entry of the journal: a chart got another title. */
const entry = {
	at: '2026-11-21T11:41:08.000Z',
	kind: 'chart',
	itemId: 29,
	rowVersion: 3,
	actor: { kind: 'person', id: 'shift@plant-a.example', name: 'shift@plant-a.example' },
	via: 'console',
	requestId: 'JKJaXmPLvHcESHA=',
	action: 'changed',
	name: 'Tank levels',
	version: 3,
	replaced: 2,
	fields: ['title'],
} as const;

/** The content of that chart without its title. */
const chart = { id: 29, series: [{ varId: 13 }] } as const;

/** The operations on the journal of changes. */
export const changeOperations = {
	getChanges: {
		id: 'listChanges',
		tag: 'Changes',
		summary: 'List changes',
		description:
			'Lists who changed which definition, newest first, without what was there before. A page may be short or empty and still have a `next`: go on while there is one. It may lack the last second or so. Changes of people and machines are listed for administrators only.',
		parameters: ['ChangeStart', 'EventEnd', 'ChangeKind', 'ChangeItem', 'ChangedBy', 'ChangeLimit', 'ChangeAfter'],
		answer: {
			description: 'A page of the journal.',
			schema: 'ChangePage',
			examples: { first: { summary: 'The newest entries', value: { data: [entry], next: null } } },
		},
	},
	getChange: {
		id: 'readChange',
		tag: 'Changes',
		summary: 'Read a change',
		description: 'Returns an entry of the journal with the item before and after the change.',
		parameters: ['EntryKind', 'EntryItem', 'EntryRowVersion'],
		answer: {
			description: 'The entry.',
			schema: 'WholeChangeAnswer',
			examples: {
				title: {
					summary: 'A chart with another title',
					value: {
						data: {
							...entry,
							before: { version: 2, content: { ...chart, title: 'Levels' } },
							after: { version: 3, content: { ...chart, title: 'Tank levels' } },
						},
					},
				},
			},
		},
		others: { 404: 'NoSuchChange' },
	},
	restoreItem: {
		id: 'restoreItem',
		tag: 'Changes',
		summary: 'Restore what was deleted',
		description:
			'Brings a deleted variable, chart, diagram, correction or report back under its id, as it was when it was deleted. Its versions go on from that of its deletion. Charts that showed a restored variable are not changed: save each again. A deleted alarm comes back as a new one, by a save with id 0. To go back to an older version of an item that is not deleted, save the content of that version.',
		parameters: ['IdempotencyKey'],
		request: {
			schema: 'RestoreInput',
			required: true,
			examples: { chart: { summary: 'A deleted chart', value: { kind: 'chart', itemId: 29, rowVersion: 4 } } },
		},
		answer: {
			description: 'The item as stored.',
			schema: 'RestoredItem',
			examples: { chart: { summary: 'The chart', value: { data: { ...chart, title: 'Tank levels', version: 5 } } } },
			headers: ['ETag'],
		},
		others: { 404: 'NoSuchChange', 409: 'NotDeleted' },
	},
} as const satisfies Readonly<Record<string, ApiOperation>>;
