import { ridgeBox, ridgePaths } from './ridge-paths.ts';

const paths = ridgePaths();

/** A day of the demo plant as ridges, one behind the other. */
export function Ridges() {
	return (
		<svg viewBox={`0 0 ${ridgeBox.width} ${ridgeBox.height}`} preserveAspectRatio="none" aria-hidden="true">
			{paths.map((path) => (
				<path key={path} d={path} />
			))}
		</svg>
	);
}
