interface ContentModules {
  audit: import('../schemas/audit.ts').Audit;
  auditAbout: import('../../../core/content/select-policy.ts').PagePolicy;
  auditPage: import('../schemas/audit.ts').AuditPage;
  auditSample: import('../contract.ts').AuditReport;
}
