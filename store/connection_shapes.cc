#include "store/connection_shapes.h"

#include <array>

#include "store/model_shapes.h"
#include "store/shape_builders.h"

namespace gluecat::store::shapes {
namespace {

constexpr auto kConnectionTypes =
    std::to_array<std::string_view>({"JDBC",
                                     "SFTP",
                                     "MONGODB",
                                     "KAFKA",
                                     "NETWORK",
                                     "MARKETPLACE",
                                     "CUSTOM",
                                     "SALESFORCE",
                                     "VIEW_VALIDATION_REDSHIFT",
                                     "VIEW_VALIDATION_ATHENA",
                                     "GOOGLEADS",
                                     "GOOGLESHEETS",
                                     "GOOGLEANALYTICS4",
                                     "SERVICENOW",
                                     "MARKETO",
                                     "SAPODATA",
                                     "ZENDESK",
                                     "JIRACLOUD",
                                     "NETSUITEERP",
                                     "HUBSPOT",
                                     "FACEBOOKADS",
                                     "INSTAGRAMADS",
                                     "ZOHOCRM",
                                     "SALESFORCEPARDOT",
                                     "SALESFORCEMARKETINGCLOUD",
                                     "ADOBEANALYTICS",
                                     "SLACK",
                                     "LINKEDIN",
                                     "MIXPANEL",
                                     "ASANA",
                                     "STRIPE",
                                     "SMARTSHEET",
                                     "DATADOG",
                                     "WOOCOMMERCE",
                                     "INTERCOM",
                                     "SNAPCHATADS",
                                     "PAYPAL",
                                     "QUICKBOOKS",
                                     "FACEBOOKPAGEINSIGHTS",
                                     "FRESHDESK",
                                     "TWILIO",
                                     "DOCUSIGNMONITOR",
                                     "FRESHSALES",
                                     "ZOOM",
                                     "GOOGLESEARCHCONSOLE",
                                     "SALESFORCECOMMERCECLOUD",
                                     "SAPCONCUR",
                                     "DYNATRACE",
                                     "MICROSOFTDYNAMIC365FINANCEANDOPS",
                                     "MICROSOFTTEAMS",
                                     "BLACKBAUDRAISEREDGENXT",
                                     "MAILCHIMP",
                                     "GITLAB",
                                     "PENDO",
                                     "PRODUCTBOARD",
                                     "CIRCLECI",
                                     "PIPEDIVE",
                                     "SENDGRID",
                                     "AZURECOSMOS",
                                     "AZURESQL",
                                     "BIGQUERY",
                                     "BLACKBAUD",
                                     "CLOUDERAHIVE",
                                     "CLOUDERAIMPALA",
                                     "CLOUDWATCH",
                                     "CLOUDWATCHMETRICS",
                                     "CMDB",
                                     "DATALAKEGEN2",
                                     "DB2",
                                     "DB2AS400",
                                     "DOCUMENTDB",
                                     "DOMO",
                                     "DYNAMODB",
                                     "GOOGLECLOUDSTORAGE",
                                     "HBASE",
                                     "KUSTOMER",
                                     "MICROSOFTDYNAMICS365CRM",
                                     "MONDAY",
                                     "MYSQL",
                                     "OKTA",
                                     "OPENSEARCH",
                                     "ORACLE",
                                     "PIPEDRIVE",
                                     "POSTGRESQL",
                                     "SAPHANA",
                                     "SQLSERVER",
                                     "SYNAPSE",
                                     "TERADATA",
                                     "TERADATANOS",
                                     "TIMESTREAM",
                                     "TPCDS",
                                     "VERTICA"});
constexpr auto kPropertyKeys =
    std::to_array<std::string_view>({"HOST",
                                     "PORT",
                                     "USERNAME",
                                     "PASSWORD",
                                     "ENCRYPTED_PASSWORD",
                                     "JDBC_DRIVER_JAR_URI",
                                     "JDBC_DRIVER_CLASS_NAME",
                                     "JDBC_ENGINE",
                                     "JDBC_ENGINE_VERSION",
                                     "CONFIG_FILES",
                                     "INSTANCE_ID",
                                     "JDBC_CONNECTION_URL",
                                     "JDBC_ENFORCE_SSL",
                                     "CUSTOM_JDBC_CERT",
                                     "SKIP_CUSTOM_JDBC_CERT_VALIDATION",
                                     "CUSTOM_JDBC_CERT_STRING",
                                     "CONNECTION_URL",
                                     "KAFKA_BOOTSTRAP_SERVERS",
                                     "KAFKA_SSL_ENABLED",
                                     "KAFKA_CUSTOM_CERT",
                                     "KAFKA_SKIP_CUSTOM_CERT_VALIDATION",
                                     "KAFKA_CLIENT_KEYSTORE",
                                     "KAFKA_CLIENT_KEYSTORE_PASSWORD",
                                     "KAFKA_CLIENT_KEY_PASSWORD",
                                     "ENCRYPTED_KAFKA_CLIENT_KEYSTORE_PASSWORD",
                                     "ENCRYPTED_KAFKA_CLIENT_KEY_PASSWORD",
                                     "KAFKA_SASL_MECHANISM",
                                     "KAFKA_SASL_PLAIN_USERNAME",
                                     "KAFKA_SASL_PLAIN_PASSWORD",
                                     "ENCRYPTED_KAFKA_SASL_PLAIN_PASSWORD",
                                     "KAFKA_SASL_SCRAM_USERNAME",
                                     "KAFKA_SASL_SCRAM_PASSWORD",
                                     "KAFKA_SASL_SCRAM_SECRETS_ARN",
                                     "ENCRYPTED_KAFKA_SASL_SCRAM_PASSWORD",
                                     "KAFKA_SASL_GSSAPI_KEYTAB",
                                     "KAFKA_SASL_GSSAPI_KRB5_CONF",
                                     "KAFKA_SASL_GSSAPI_SERVICE",
                                     "KAFKA_SASL_GSSAPI_PRINCIPAL",
                                     "SECRET_ID",
                                     "CONNECTOR_URL",
                                     "CONNECTOR_TYPE",
                                     "CONNECTOR_CLASS_NAME",
                                     "ENDPOINT",
                                     "ENDPOINT_TYPE",
                                     "ROLE_ARN",
                                     "REGION",
                                     "WORKGROUP_NAME",
                                     "CLUSTER_IDENTIFIER",
                                     "DATABASE"});
constexpr auto kEnvironments = std::to_array<std::string_view>({"SPARK", "ATHENA", "PYTHON"});
constexpr auto kAuthenticationTypes =
    std::to_array<std::string_view>({"BASIC", "OAUTH2", "CUSTOM", "IAM"});
constexpr auto kGrantTypes =
    std::to_array<std::string_view>({"AUTHORIZATION_CODE", "CLIENT_CREDENTIALS", "JWT_BEARER"});

constexpr Shape kConnectionType = Enumeration(kConnectionTypes);
constexpr Shape kConnectionPropertyKey = Enumeration(kPropertyKeys);
constexpr Shape kEnvironment = Enumeration(kEnvironments);
constexpr Shape kEnvironmentList = ListOf(kEnvironment);
constexpr Shape kPropertyValueOfConnection = Text(1, 1024);
constexpr Shape kConnectionProperties =
    MapOf(kConnectionPropertyKey, kPropertyValueOfConnection, 0, 100);
constexpr Shape kMatchCriteria = ListOf(kName, 0, 10);
constexpr Shape kPropertyKey = Text(1, 128);
constexpr Shape kPropertyValue = Text(1, 2048);
constexpr Shape kPropertyMap = MapOf(kPropertyKey, kPropertyValue);
constexpr Shape kSecurityGroups = ListOf(kName, 0, 50);
constexpr Shape kSchemaVersion = Whole(1, 2);

constexpr auto kPhysicalMembers = std::to_array<ShapeMember>({
    {"SubnetId", &kName},
    {"SecurityGroupIdList", &kSecurityGroups},
    {"AvailabilityZone", &kName},
});
constexpr Shape kPhysicalRequirements = Structure(kPhysicalMembers);

constexpr Shape kAuthenticationType = Enumeration(kAuthenticationTypes);
constexpr Shape kGrantType = Enumeration(kGrantTypes);
constexpr Shape kFreeText = {.type = Type::kString};
constexpr Shape kTokenUrl = Text(0, 256);
constexpr Shape kTokenUrlValue = Text(1, 512);
constexpr Shape kTokenUrlParameters = MapOf(kPropertyKey, kTokenUrlValue);
constexpr Shape kClientReference = Text(0, 2048);
constexpr auto kClientMembers = std::to_array<ShapeMember>({
    {"UserManagedClientApplicationClientId", &kClientReference},
    {"AWSManagedClientApplicationReference", &kClientReference},
});
constexpr Shape kClient = Structure(kClientMembers);
constexpr auto kOAuth2Members = std::to_array<ShapeMember>({
    {"OAuth2GrantType", &kGrantType},
    {"OAuth2ClientApplication", &kClient},
    {"TokenUrl", &kTokenUrl},
    {"TokenUrlParametersMap", &kTokenUrlParameters},
    {"AuthorizationCodeProperties", &kAnything},
    {"OAuth2Credentials", &kAnything},
});
constexpr Shape kOAuth2 = Structure(kOAuth2Members);
constexpr auto kAuthenticationMembers = std::to_array<ShapeMember>({
    {"AuthenticationType", &kAuthenticationType},
    {"SecretArn", &kFreeText},
    {"KmsKeyArn", &kFreeText},
    {"OAuth2Properties", &kOAuth2},
    {"BasicAuthenticationCredentials", &kAnything},
    {"CustomAuthenticationCredentials", &kAnything},
});
constexpr Shape kAuthentication = Structure(kAuthenticationMembers);

constexpr auto kInputMembers = std::to_array<ShapeMember>({
    {"Name", &kName, true},
    {"Description", &kDescription},
    {"ConnectionType", &kConnectionType, true},
    {"MatchCriteria", &kMatchCriteria},
    {"ConnectionProperties", &kConnectionProperties, true},
    {"SparkProperties", &kPropertyMap},
    {"AthenaProperties", &kPropertyMap},
    {"PythonProperties", &kPropertyMap},
    {"PhysicalConnectionRequirements", &kPhysicalRequirements},
    {"AuthenticationConfiguration", &kAuthentication},
    {"ValidateCredentials", &kBoolean},
    {"ValidateForComputeEnvironments", &kEnvironmentList},
});
constexpr auto kResponseOnly = std::to_array<std::string_view>(
    {"CreationTime", "LastUpdatedTime", "LastUpdatedBy", "Status", "StatusReason",
     "LastConnectionValidationTime", "ConnectionSchemaVersion", "CompatibleComputeEnvironments"});

constexpr auto kFilterMembers = std::to_array<ShapeMember>({
    {"MatchCriteria", &kMatchCriteria},
    {"ConnectionType", &kConnectionType},
    {"ConnectionSchemaVersion", &kSchemaVersion},
});

}  // namespace

constinit const Shape kConnectionInput = Structure(kInputMembers, kResponseOnly);
constinit const Shape kConnectionsFilter = Structure(kFilterMembers);
constinit const Shape kConnectionsToDelete = ListOf(kName, 0, 25);
constinit const Shape kComputeEnvironment = kEnvironment;

}  // namespace gluecat::store::shapes
