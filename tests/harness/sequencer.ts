import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that cross rooms start processes and take long: begun last, they would keep one worker busy alone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => !moduleId.includes('/src/');
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))];
  }
}
