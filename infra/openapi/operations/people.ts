import type { ApiOperation } from '../operation.ts';

/** An operator. */
const person = {
	email: 'shift@plant-a.example',
	name: null,
	provider: null,
	role: 'operator',
	granted: null,
	lastSignInAt: '2026-11-21T11:58:03.000Z',
} as const;

/** An engineer who signs in with an OpenID provider. */
const openIdPerson = {
	email: 'person:5f2b8a1c9d3e4f60718293a4b5c6d7e8',
	name: 'ada@plant-a.example (entra)',
	provider: 'entra',
	role: 'viewer',
	granted: 'engineer',
	lastSignInAt: '2026-11-21T07:02:44.000Z',
} as const;

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
			examples: {
				people: { summary: 'An operator, and an engineer of an OpenID provider', value: { data: [openIdPerson, person] } },
			},
		},
	},
	savePerson: {
		id: 'savePerson',
		tag: 'Access',
		summary: 'Set a role',
		description:
			'Sets the role of a person, who need not have signed in yet, unless with an OpenID provider. It holds for the next request that changes something; a token that was given before still reads until it ends. Nobody changes their own role: that is 403. Nobody gives a person of an OpenID provider a lower role than its grants do: that is 409. Needs the role administrator. A retry is harmless.',
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
		others: { 404: 'NoSuchPerson', 409: 'RoleFromProvider' },
	},
} as const satisfies Readonly<Record<string, ApiOperation>>;
