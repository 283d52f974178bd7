export const samplePath = '/sample-report';
