import type { ComponentChildren } from 'preact';
import { roles } from '#domain/access/role.ts';
import { goTo, hrefOf, route } from '#page/core/route.ts';
import { commonText } from '#page/i18n/common.ts';
import { DataTable } from '#page/parts/data-table.tsx';
import { ScreenForRole } from '#page/parts/for-role.tsx';
import { Segmented } from '#page/parts/segmented.tsx';
import { shellText } from '#page/shell/texts.ts';
import { type Listing, readMachines, readPeople, useListing } from './access-requests.ts';
import { Machines } from './machines.tsx';
import { People } from './people.tsx';
import { accessText } from './texts.ts';

/** The parts of the screen, as the address names them. */
const tabs = ['people', 'machines', 'roles'] as const;

/** Who may do what: the people with their roles, the machines, and what the roles are. For administrators. */
export function Access() {
	return (
		<ScreenForRole title={shellText().screens.access} needs="administrator">
			<AccessTabs />
		</ScreenForRole>
	);
}

/** The tabs of the screen, and the one that the address names. */
function AccessTabs() {
	const text = accessText();
	const people = useListing(readPeople);
	const machines = useListing(readMachines);
	const tab = tabs.find((name) => name === route.value.item) ?? 'people';
	const counts = { people: countOf(people), machines: countOf(machines), roles: '' };
	/** Draws the head of the screen; `action` is the button beside it. */
	const head = (action: ComponentChildren = null) => (
		<div class="head">
			<h1>{shellText().screens.access}</h1>
			<Segmented
				label={text.parts}
				value={tab}
				choices={tabs.map((value) => ({ value, label: `${text.tabs[value]}${counts[value]}` }))}
				onChoose={(value) => goTo(hrefOf('access', value), { replace: true })}
			/>
			{action !== null && <div class="actions">{action}</div>}
		</div>
	);
	if (tab === 'people') return <People people={people} head={head} />;
	if (tab === 'machines') return <Machines machines={machines} head={head} />;
	return (
		<>
			{head()}
			<Roles />
		</>
	);
}

/** What each role may do. */
function Roles() {
	const text = accessText();
	return (
		<div class="stack">
			<DataTable
				caption={text.tabs.roles}
				rows={roles}
				keyOf={(role) => role}
				columns={[
					{ key: 'role', head: text.role, isRowHead: true, cell: (role) => commonText().roles[role] },
					{ key: 'may', head: text.mayDo, look: 'wide', cell: (role) => text.may[role] },
				]}
			/>
			<p class="muted">{text.includes}</p>
		</div>
	);
}

/** Returns the number of rows behind a blank; nothing until they were read. */
function countOf({ result }: Listing<unknown>): string {
	return result.value?.ok === true ? ` ${result.value.data.length}` : '';
}
