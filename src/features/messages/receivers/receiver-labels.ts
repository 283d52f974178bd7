/** What the owner calls each receiver. */
export const receiverLabels: Record<string, string> = {
  sheet: 'Sheet',
  mail: 'Email to you',
  webhook: 'Webhook',
  acknowledgements: 'Acknowledgement to visitors',
  confirmations: 'Newsletter: confirmations',
  newsletter: 'Newsletter: issues',
};
