import { forOwner } from './define-receiver.ts';

export const sheetType = forOwner({ name: 'sheet', label: 'Sheet', recipients: 'sheet' });
