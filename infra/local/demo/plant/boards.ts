import type { BoardKind } from '#domain/board/board.ts';
import { idOf, statusName } from './definitions.ts';
import { statusBits } from './sensors.ts';
import type { Wire } from './wire.ts';

/** A board as a client would send it, with its kind. */
interface DemoBoard {
	readonly kind: BoardKind;
	readonly content: Wire;
}

const statusId = idOf(statusName);

const line = (name: string, color: string) => ({ varId: idOf(name), label: name, color });

const at = (name: string, x: number, y: number) => ({ varId: idOf(name), x, y, label: name });

/** The demo tenant's charts, its diagram and its alarms over `demoVariables`. */
export const demoBoards: readonly DemoBoard[] = [
	{
		kind: 'chart',
		content: {
			title: 'Tank levels, 24 h',
			series: [line('Raw tank level, 24 h', '#1f77b4'), line('Network tank level, 24 h', '#2ca02c')],
		},
	},
	{
		kind: 'chart',
		content: {
			title: 'Distribution, 24 h',
			series: [line('Distribution flow, 24 h', '#1f77b4'), line('Network tank net inflow, 24 h', '#ff7f0e')],
		},
	},
	{
		kind: 'diagram',
		content: {
			title: 'Plant overview',
			items: [
				at('Raw tank level', 0.15, 0.3),
				at('Filtered water turbidity', 0.4, 0.3),
				at('Treated tank level', 0.6, 0.3),
				at('Discharge pressure', 0.75, 0.6),
				at('Network tank level', 0.9, 0.3),
				{ varId: statusId, bit: statusBits.backwash, x: 0.4, y: 0.6, label: 'Backwash' },
				{ varId: statusId, bit: statusBits.distributionPump, x: 0.7, y: 0.6, label: 'Distribution pump' },
			],
		},
	},
	{
		kind: 'alarm',
		content: {
			name: 'Network tank low',
			varId: idOf('Network tank level'),
			condition: '<',
			threshold: 2,
			severity: 'critical',
			message: 'Less than 2 m in the network tank: start a distribution pump.',
		},
	},
	{
		kind: 'alarm',
		content: {
			name: 'Turbidity high',
			varId: idOf('Filtered water turbidity'),
			condition: '>',
			threshold: 1,
			severity: 'warning',
			message: 'Filtered water over 1 NTU: check the filters.',
		},
	},
	{
		kind: 'alarm',
		content: {
			name: 'General alarm',
			varId: statusId,
			bit: statusBits.alarm,
			condition: '==',
			threshold: 1,
			severity: 'critical',
			message: 'The plant reports a general alarm.',
		},
	},
];
