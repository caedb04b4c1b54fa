import { expect, test } from 'vitest';
import { type Box, nearestOf } from '#page/screens/overview/arrow-keys.ts';

/** Two columns of tiles; the second tile of the right one is high. */
const boxes: readonly Box[] = [
	{ left: 0, right: 100, top: 0, bottom: 50 },
	{ left: 0, right: 100, top: 55, bottom: 105 },
	{ left: 0, right: 100, top: 110, bottom: 160 },
	{ left: 110, right: 210, top: 0, bottom: 30 },
	{ left: 110, right: 210, top: 35, bottom: 160 },
];

const from = (index: number, arrow: Parameters<typeof nearestOf>[2]): number | null => {
	const others = boxes.map((box, each) => (each === index ? { left: 1e6, right: 1e6, top: 1e6, bottom: 1e6 } : box));
	const found = nearestOf(others, boxes[index] as Box, arrow);
	return found;
};

test('an arrow leads to the next tile of its column', () => {
	expect([from(0, 'ArrowDown'), from(1, 'ArrowDown'), from(2, 'ArrowUp'), from(3, 'ArrowDown')]).toEqual([1, 2, 1, 4]);
});

test('an arrow leads to the tile beside that is at the same height', () => {
	expect([from(0, 'ArrowRight'), from(1, 'ArrowRight'), from(4, 'ArrowLeft')]).toEqual([3, 4, 1]);
});

test('there is nothing beyond the edges', () => {
	expect([nearestOf(boxes, boxes[0] as Box, 'ArrowUp'), nearestOf(boxes, boxes[0] as Box, 'ArrowLeft')]).toEqual([null, null]);
	expect(nearestOf(boxes, boxes[4] as Box, 'ArrowRight')).toBeNull();
});
