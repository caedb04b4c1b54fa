import type { ApiOperation } from '../operation.ts';

/** An operator. */
const person = { email: 'shift@plant-a.example', role: 'operator', lastSignInAt: '2026-11-21T11:58:03.000Z' } as const;

/** The operations on people and their roles. */
export const peopleOperations = {
	getPeople: {
		id: 'listPeople',
		tag: 'Access',
		summary: 'List people',
		description: 'Lists everybody who signed in to the tenant or was given a role. Needs the role administrator.',
		answer: {
			description: 'The people by their e-mail.',
			schema: 'PeopleAnswer',
			examples: { people: { summary: 'One operator', value: { data: [person] } } },
		},
	},
	savePerson: {
		id: 'savePerson',
		tag: 'Access',
		summary: 'Set a role',
		description:
			'Sets the role of a person, who need not have signed in yet. It holds for the next request that changes something; a token that was given before still reads until it ends. Nobody changes their own role: that is 403. Needs the role administrator. A retry is harmless.',
		request: {
			schema: 'PersonInput',
			required: true,
			examples: { operator: { summary: 'An operator', value: { email: 'shift@plant-a.example', role: 'operator' } } },
		},
		answer: {
			description: 'The person as stored.',
			schema: 'PersonAnswer',
			examples: { person: { summary: 'An operator', value: { data: person } } },
		},
	},
} as const satisfies Readonly<Record<string, ApiOperation>>;
