import type { ComponentChildren } from 'preact';
import type { SymbolKind } from '#domain/board/symbol-kinds.ts';
import { type ShapeKind, shapeIcon } from '#page/parts/state-shape.tsx';
import type { Turn } from './symbol-geometry.ts';
import { drawnOn, faultOf, type SymbolState, scaleOf, type TankScale, waterOf } from './symbol-state.ts';

/** The properties of a symbol that decide its shape. */
export interface ShapedSymbol {
	readonly kind: SymbolKind;
	readonly turn?: Turn | undefined;
	readonly scale?: TankScale | undefined;
}

interface ArtProps {
	readonly symbol: ShapedSymbol;
	readonly state: SymbolState;
}

/**
 * The fill of shapes whose value is out of date or not known. A pump and a valve that are not known have a shape for that. It refers to the
 * pattern of `HatchPattern`.
 */
const hatchFill = 'url(#diagram-hatch)';

/** Draws the shape of a symbol in its box, without words. The element around it has the classes of the alarm. */
export function SymbolArt({ symbol, state }: ArtProps) {
	switch (symbol.kind) {
		case 'tank':
			return <TankArt symbol={symbol} state={state} />;
		case 'pump':
		case 'valve':
			return <MachineArt kind={symbol.kind} turn={symbol.turn ?? 0} state={state} />;
		case 'filter':
			return <FilterArt state={state} />;
		case 'source':
			return (
				<Art viewBox="0 0 180 40">
					<path class="d-water" d={`${wave}V40H0z`} />
					<path class="d-outline open" d={wave} />
					<path class="d-outline open" d="M0 0V40H180V0" />
				</Art>
			);
		case 'network':
			return (
				<svg class="d-art" viewBox="0 0 24 24" aria-hidden="true">
					<path class="d-outline solid" d={houses} />
				</svg>
			);
		case 'join':
			return (
				<Art>
					<circle class="d-join" r="4" />
				</Art>
			);
		case 'frame':
		case 'text':
		case 'value':
			return null;
	}
}

/** Defines the pattern of `hatchFill`. A drawing renders it once, in its first layer. */
export function HatchPattern() {
	return (
		<pattern id="diagram-hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
			<path class="d-hatch" d="M0 0V5" />
		</pattern>
	);
}

/** The surface of a source, in six waves. */
const wave = `M0 10${'q7.5 -5 15 0t15 0'.repeat(6)}`;

/** The houses of a network. */
export const houses = 'M2.5 20v-7L7 8.5l4.5 4.5v7zM11.5 20v-9.5L16.5 5l5 5.5V20zM15 20v-4.5h3V20';

/** The outlines of a pump and of a valve without a variable. They show neither on nor off. */
const bareShapes: Readonly<Record<'pump' | 'valve', string>> = {
	pump: 'M22 10.2h21.8v9.6h-6.4a15.8 15.8 0 1 1-15.4-9.6z',
	valve: 'M5 17l19 12-19 12zM43 17L24 29l19 12zM0 29h5M43 29h5',
};

function Art({ viewBox, children }: { readonly viewBox?: string; readonly children: ComponentChildren }) {
	return (
		<svg class="d-art" viewBox={viewBox} preserveAspectRatio="none" aria-hidden="true">
			{children}
		</svg>
	);
}

/**
 * The water of a tank up to its level, with a tick at the threshold of each alarm. The part between the level and an exceeded threshold
 * has the colour of the alarm.
 */
function TankArt({ symbol, state }: ArtProps) {
	const { level, isOld, ticks, excess } = waterOf(state, scaleOf(symbol.scale, state.unit));
	return (
		<Art>
			<rect class="d-inside" width="100%" height="100%" />
			{level !== null && (
				<rect class={isOld ? 'd-water old' : 'd-water'} y={percent(1 - level)} width="100%" height={percent(level)} />
			)}
			{isOld && <rect fill={hatchFill} width="100%" height="100%" />}
			{excess !== null && (
				<rect class="d-excess" y={percent(1 - excess.to)} width="100%" height={percent(excess.to - excess.from)} />
			)}
			{level !== null && (
				<line class={isOld ? 'd-surface old' : 'd-surface'} x2="100%" y1={percent(1 - level)} y2={percent(1 - level)} />
			)}
			<rect class="d-outline" width="100%" height="100%" />
			{ticks.map(({ at, limit }) => (
				<rect key={limit} class="d-tick" x="100%" y={percent(1 - at)} width="12" height="2" transform="translate(-5 -1)" />
			))}
		</Art>
	);
}

interface MachineProps {
	readonly kind: 'pump' | 'valve';
	readonly turn: Turn;
	readonly state: SymbolState;
}

/** A pump or a valve in the shape of its state. If the state is out of date, the last shape stays and is hatched. */
function MachineArt({ kind, turn, state }: MachineProps) {
	const { quality, isOutdated, alarm } = state;
	return (
		<>
			{(isOutdated || alarm !== null) && (
				<Art>
					{isOutdated && quality !== null && <rect fill={hatchFill} {...around} />}
					{alarm !== null && <rect class="d-outline open" {...around} />}
				</Art>
			)}
			<svg class="d-art d-machine" style={{ '--turn': `${turn}deg` }} viewBox="0 0 48 48" aria-hidden="true">
				{quality === null ? <path class="d-bare" d={bareShapes[kind]} /> : <use href={`#${shapeIcon(kind, drawnOn(state))}`} />}
			</svg>
		</>
	);
}

/** An area slightly larger than the box of the symbol. */
const around = { x: '-12%', y: '-12%', width: '124%', height: '124%' } as const;

/** The places of the layers of sand, from the top of a filter. */
const sandLayers = ['35%', '50%', '65%', '80%'];

/** A box with layers of sand. The outline is dashed when the state is not known although the screen is up to date. */
function FilterArt({ state }: Pick<ArtProps, 'state'>) {
	const isBound = state.quality !== null;
	const isUnknown = isBound && state.isOn !== undefined && drawnOn(state) === null;
	const isOld = isBound && state.isOutdated;
	return (
		<Art>
			<rect class="d-inside" width="100%" height="100%" />
			{(isOld || faultOf(state) !== null) && <rect fill={hatchFill} width="100%" height="100%" />}
			{sandLayers.map((y) => (
				<line key={y} class="d-layer" x2="100%" y1={y} y2={y} />
			))}
			<rect class={isUnknown && !isOld ? 'd-outline unknown' : 'd-outline'} width="100%" height="100%" />
		</Art>
	);
}

/** Writes a share in percent with two decimals. */
function percent(share: number): string {
	return `${Math.round(share * 10_000) / 100}%`;
}

/** Returns the kind of shape whose words describe the state of a symbol. */
export function shapeKindOf(kind: SymbolKind): ShapeKind {
	return kind === 'pump' || kind === 'valve' ? kind : 'state';
}
