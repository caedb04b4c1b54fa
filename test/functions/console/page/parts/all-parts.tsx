import { render } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '#page/parts/button.tsx';
import { Combobox } from '#page/parts/combobox.tsx';
import { DataTable, type TableSort } from '#page/parts/data-table.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { Field } from '#page/parts/field.tsx';
import { LostBand } from '#page/parts/lost-band.tsx';
import { Segmented } from '#page/parts/segmented.tsx';
import { Sparkline } from '#page/parts/small-charts.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { ValueText } from '#page/parts/value-text.tsx';
import { VirtualList } from '#page/parts/virtual-list.tsx';

const options = [
	{ value: '1', label: 'Caudal de captación', detail: 'plant/intake/flow' },
	{ value: '2', label: 'Plant status', detail: 'byte', trailing: '44' },
	{ value: '3', label: 'Plant power', detail: 'plant/power' },
	...Array.from({ length: 60 }, (_, index) => ({ value: `x${index}`, label: `Level ${index}` })),
];
const rows = Array.from({ length: 30 }, (_, index) => ({ id: index, name: `Row ${index}` }));
const many = Array.from({ length: 5000 }, (_, index) => index);

function Choice() {
	const [value, setValue] = useState('2');
	return (
		<Field label="Variable" hint="Search by name" error={value === '2' ? 'Choose another one' : null}>
			{(ties) => (
				<Combobox
					ties={ties}
					options={options}
					value={value}
					onChoose={setValue}
					listLabel="Variables"
					emptyText="Nothing matches"
					moreText={(count) => `${count} more`}
				/>
			)}
		</Field>
	);
}

/** Every part that has keys of its own; the tests in Chromium use it. */
function Parts() {
	const [isOpen, setIsOpen] = useState(false);
	const [lost, setLost] = useState(false);
	const [said, setSaid] = useState('nothing');
	const [selected, setSelected] = useState(3);
	const [sort, setSort] = useState<TableSort>({ column: 'name', direction: 'ascending' });
	const [range, setRange] = useState('a');
	return (
		<main>
			<h1>Parts</h1>
			<p id="said">{said}</p>
			{lost && (
				<LostBand
					label="Connection"
					announcement="No connection"
					title="No connection since 16:12 (3 s)"
					text="Trying again."
					tryText="Try now"
					onTry={() => setSaid('tried')}
				/>
			)}
			<button
				type="button"
				class="btn"
				id="lose"
				onClick={(event) => {
					event.currentTarget.blur();
					setLost(true);
				}}
			>
				Lose
			</button>
			<Button onClick={() => setIsOpen(true)}>Open</Button>
			<Button look="primary" aria-disabled>
				Inert
			</Button>
			{isOpen && (
				<Dialog title="A question" closeLabel="Close" onClose={() => setIsOpen(false)}>
					<Choice />
					<Button look="primary">Save</Button>
				</Dialog>
			)}
			<Choice />
			<Segmented
				label="Range"
				value={range}
				onChoose={setRange}
				choices={[
					{ value: 'a', label: '1 h' },
					{ value: 'b', label: '6 h' },
				]}
			/>
			<TextInput aria-label="Key" type="password" value="x" onText={() => {}} />
			<ValueText text={null} unit="bar" current={false} />
			<div class="tile" id="tile">
				<ValueText text="1.5" unit="m" current={true} />
			</div>
			<Sparkline past={{ values: [1, null, 0], band: null }} />
			<DataTable
				caption="Rows"
				rows={rows}
				keyOf={(row) => row.id}
				selected={selected}
				onSelect={(row) => setSelected(row.id)}
				sort={sort}
				onSort={setSort}
				columns={[
					{ key: 'name', head: 'Name', isRowHead: true, sortable: true, cell: (row) => row.name },
					{
						key: 'act',
						head: 'Action',
						look: 'buttons',
						cell: (row) => (
							<Button small onClick={() => setSaid(`acted ${row.id}`)}>
								Act
							</Button>
						),
					},
				]}
			/>
			<VirtualList label="Many" class="many" items={many} keyOf={(one) => one} isStop={() => true}>
				{(one) => <a href={`#${one}`}>Entry {one}</a>}
			</VirtualList>
		</main>
	);
}
const place = document.getElementById('console');
if (place !== null) render(<Parts />, place);
